import RTP
import Signalling
import TestSupport
import Testing

@testable import DataStreams

/// Two endpoints with a path between them that loses packets, without encryption.
@Suite(.timeLimit(.minutes(10))) struct DataEndpointTests {
  private final class Path {
    var first = DataEndpoint()
    var second = DataEndpoint()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_280, alignment: 16)
    var random: SeededGenerator
    let loss: Double
    let delay: Int
    var underWay: [(time: Int, toSecond: Bool, isRTCP: Bool, bytes: [UInt8])] = []
    var sentCount = 0
    private(set) var texts: [String] = []

    init(loss: Double, delayMilliseconds: Int, seed: UInt64 = 1) {
      random = SeededGenerator(seed: seed)
      self.loss = loss
      delay = delayMilliseconds * 1_000_000
      first.connect(DataSources(sent: 1, received: 2), reportSSRC: 10)
      second.connect(DataSources(sent: 2, received: 1), reportSSRC: 20)
    }

    deinit { memory.deallocate() }

    func send(_ bytes: UnsafeRawBufferPointer, toSecond: Bool, isRTCP: Bool, _ now: Int) {
      sentCount += 1
      guard Double.random(in: 0..<1, using: &random) >= loss else { return }
      underWay.append((now + delay, toSecond, isRTCP, Array(bytes)))
    }

    /// A repetition follows without protection.
    private func takeFlag(_ flag: inout Bool) -> Bool {
      defer { flag = false }
      return flag
    }

    func step(_ now: Int) {
      while let next = underWay.first, next.time <= now {
        underWay.removeFirst()
        next.bytes.withUnsafeBytes { bytes in
          switch (next.toSecond, next.isRTCP) {
          case (true, false): second.receive(bytes, nowNanoseconds: now)
          case (false, false): first.receive(bytes, nowNanoseconds: now)
          case (true, true):
            second.receive(reports: bytes, nowNanoseconds: now) { send($0, toSecond: false, isRTCP: false, now) }
          case (false, true):
            first.receive(reports: bytes, nowNanoseconds: now) { send($0, toSecond: true, isRTCP: false, now) }
          }
        }
      }
      var isRTCP = false
      let memory = memory
      first.pump(
        now: now, memory: memory,
        protect: {
          isRTCP = $1
          return UnsafeRawBufferPointer(rebasing: memory[..<$0])
        }, send: { send($0, toSecond: true, isRTCP: takeFlag(&isRTCP), now) })
      second.pump(
        now: now, memory: memory,
        protect: {
          isRTCP = $1
          return UnsafeRawBufferPointer(rebasing: memory[..<$0])
        }, send: { send($0, toSecond: false, isRTCP: takeFlag(&isRTCP), now) })
      while let event = second.takeEvent() {
        switch event {
        case .message(_, _, let bytes): texts.append(String(decoding: bytes, as: UTF8.self))
        case .missed(_, _, let missed, _): texts.append("missed \(missed)")
        }
      }
    }
  }

  /// Sends 300 messages in 10 s, and lets 4 s pass.
  private func run(_ path: Path, isReliable: Bool, isOrdered: Bool) throws {
    let stream = try path.first.sender.createStream(isReliable: isReliable, isOrdered: isOrdered, first: .max - 9)
    var next = 0
    for millisecond in 0..<14_000 {
      let now = millisecond * 1_000_000
      if millisecond % 34 == 0, next < 300 {
        try path.first.sender.send(Array("\(next)".utf8), on: stream, nowNanoseconds: now)
        next += 1
      }
      path.step(now)
    }
  }

  @Test("nothing is missed in order at 10 % loss and 100 ms", .shows("C17"), arguments: 1...10)
  func reliable(seed: Int) throws {
    let path = Path(loss: 0.1, delayMilliseconds: 50, seed: UInt64(seed))
    try run(path, isReliable: true, isOrdered: true)
    #expect(path.texts == (0..<300).map { "\($0)" })
  }

  @Test("every message that is lost without repetitions is told", .shows("C17"), arguments: [true, false])
  func unreliable(isOrdered: Bool) throws {
    let path = Path(loss: 0.1, delayMilliseconds: 50)
    try run(path, isReliable: false, isOrdered: isOrdered)
    let messages = path.texts.compactMap { Int($0) }
    let missed = path.texts.compactMap { $0.hasPrefix("missed ") ? Int($0.dropFirst(7)) : nil }.reduce(0, +)
    #expect(messages == messages.sorted() && messages.count < 290 && messages.count > 240)
    // The last ones can be lost without a trace.
    #expect(messages.last! + 1 - messages.first! == messages.count + missed)
  }

  @Test("the last message of a burst comes, though no later one shows its loss")
  func last() throws {
    for seed in 1...40 {
      let path = Path(loss: 0.3, delayMilliseconds: 50, seed: UInt64(seed))
      let stream = try path.first.sender.createStream(isReliable: true, isOrdered: true, first: 5)
      try path.first.sender.send([65], on: stream, nowNanoseconds: 0)
      for millisecond in 0..<1_500 { path.step(millisecond * 1_000_000) }
      // Four copies at 30 % loss: one in 120 is lost.
      #expect(path.texts.count <= 1)
      if path.texts.isEmpty { #expect(path.sentCount == 4) }
    }
  }

  @Test("an idle endpoint has no deadline and sends nothing")
  func idle() throws {
    let path = Path(loss: 0, delayMilliseconds: 10)
    let stream = try path.first.sender.createStream(isReliable: true, isOrdered: true, first: 5)
    try path.first.sender.send([65], on: stream, nowNanoseconds: 0)
    for millisecond in 0..<1_000 { path.step(millisecond * 1_000_000) }
    #expect(path.sentCount == 4 && path.texts == ["A"])
    #expect(path.first.nextDeadlineNanoseconds == nil && path.second.nextDeadlineNanoseconds == nil)
  }

  @Test("messages wait for the next connection, 60 at most", .shows("C17"))
  func waiting() throws {
    var sender = DataSender()
    let stream = try sender.createStream(isReliable: true, isOrdered: true, first: 0)
    for index in 0..<60 { try sender.send([1], on: stream, nowNanoseconds: index * 50_000_000) }
    #expect(throws: DataStreamError.tooOften) { try sender.send([1], on: stream, nowNanoseconds: 9_000_000_000) }
  }

  @Test("a right that comes and goes keeps numbers, and stops repetitions", .shows("C17"))
  func changedRight() throws {
    let path = Path(loss: 0, delayMilliseconds: 10)
    let stream = try path.first.sender.createStream(isReliable: true, isOrdered: true, first: 5)
    func run(_ begin: Int, _ text: UInt8) throws {
      try path.first.sender.send([text], on: stream, nowNanoseconds: begin * 1_000_000)
      for millisecond in begin..<begin + 50 { path.step(millisecond * 1_000_000) }
    }
    try run(0, 65)
    path.first.change(DataSources(sent: nil, received: 2))
    try run(1_000, 66)
    // Neither the repetition of the first message nor the second one has left.
    #expect(path.texts == ["A"] && path.sentCount == 1 && path.first.nextDeadlineNanoseconds == nil)
    path.first.change(DataSources(sent: 1, received: 2))
    try run(2_000, 67)
    #expect(path.texts == ["A", "B", "C"])
    // An event for an earlier transport.
    path.first.change(DataSources(sent: nil, received: 3))
    #expect(path.first.sources == DataSources(sent: 1, received: 2))
  }

  @Test("streams, sizes and rates have limits", .shows("C17"))
  func limits() throws {
    var sender = DataSender()
    for number in 1...5 { #expect(try sender.createStream(isReliable: true, isOrdered: true, first: 0) == number) }
    #expect(throws: DataStreamError.tooManyStreams) {
      try sender.createStream(isReliable: false, isOrdered: false, first: 0)
    }
    #expect(throws: DataStreamError.unknownStream(6)) { try sender.send([1], on: 6, nowNanoseconds: 0) }
    #expect(throws: DataStreamError.byteCount(0)) { try sender.send([], on: 1, nowNanoseconds: 0) }
    #expect(throws: DataStreamError.byteCount(1_025)) {
      try sender.send([UInt8](repeating: 0, count: 1_025), on: 1, nowNanoseconds: 0)
    }
    for index in 0..<30 { try sender.send([1], on: index % 5 + 1, nowNanoseconds: 0) }
    #expect(throws: DataStreamError.tooOften) { try sender.send([1], on: 1, nowNanoseconds: 1_000_000) }
    while sender.next() != nil {}
    try sender.send([1], on: 1, nowNanoseconds: 34_000_000)
  }

  @Test("packets of other kinds are counted")
  func malformed() {
    var endpoint = DataEndpoint()
    endpoint.connect(DataSources(sent: nil, received: 9), reportSSRC: 1)
    for packet: [UInt8] in [
      [], [0x80], Array(repeating: 0x80, count: 12), [0x80, 112] + Array(repeating: 0, count: 20),
    ] {
      packet.withUnsafeBytes { endpoint.receive($0, nowNanoseconds: 0) }
    }
    #expect(endpoint.malformedCount == 4 && endpoint.takeEvent() == nil)
  }
}
