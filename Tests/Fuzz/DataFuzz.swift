import DataStreams
import RTP
import Signalling

/// Gives an endpoint of data streams what the input says: packets with any numbers, bytes from nowhere, reports, own
/// messages, ends of users, and time; see run.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzData(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var run = FuzzedEndpoint(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  run.run()
  return 0
}

private struct FuzzedEndpoint: ~Copyable {
  private let input: UnsafeRawBufferPointer
  private var position = 0
  private var endpoint = DataEndpoint()
  private var now = 0
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_280, alignment: 16)

  init(_ input: UnsafeRawBufferPointer) {
    self.input = input
    endpoint.connect(DataSources(sent: 1, received: 2), reportSSRC: 3)
    _ = try? endpoint.sender.createStream(isReliable: true, isOrdered: true, first: .max)
    _ = try? endpoint.sender.createStream(isReliable: false, isOrdered: false, first: 0)
  }

  deinit { memory.deallocate() }

  private mutating func next() -> UInt8 {
    guard position < input.count else { return 0 }
    position += 1
    return input[position - 1]
  }

  mutating func run() {
    while position < input.count {
      step(next())
      check()
    }
    // What is under way ends in a few seconds, with at most one repetition or request at each time.
    for _ in 0..<200 {
      guard let due = endpoint.nextDeadlineNanoseconds else { break }
      now = max(now + 1_000_000, due)
      pump()
      check()
    }
    for _ in 0..<10 {
      now += 1_000_000_000
      pump()
    }
    check()
    precondition(endpoint.nextDeadlineNanoseconds == nil, "an endpoint without packets has nothing to do")
  }

  private mutating func step(_ command: UInt8) {
    switch command % 8 {
    case 0: now += Int(next()) * 10_000_000
    case 1, 2, 3:
      let number = UInt16(next()) << (command & 0x80 == 0 ? 0 : 8)
      packet(number, uid: UInt32(next() % 4), stream: next(), flags: next(), message: UInt32(next()) &- 8)
    case 4:
      let count = min(Int(next()), input.count - position)
      endpoint.receive(UnsafeRawBufferPointer(rebasing: input[position..<position + count]), nowNanoseconds: now)
      position += count
    case 5:
      let count = min(Int(next()), input.count - position)
      let datagram = UnsafeRawBufferPointer(rebasing: input[position..<position + count])
      endpoint.receive(reports: datagram, nowNanoseconds: now) { _ in }
      position += count
    case 6:
      try? endpoint.sender.send(Array(repeating: command, count: Int(next())), on: Int(next() % 4), nowNanoseconds: now)
      pump()
    default: if command & 0x80 == 0 { endpoint.remove(UInt32(next() % 4)) } else { pump() }
    }
  }

  private mutating func packet(_ number: UInt16, uid: UInt32, stream: UInt8, flags: UInt8, message: UInt32) {
    let header = RTPHeader(
      marker: false, payloadType: WireConventions.dataPayloadType, sequenceNumber: number, timestamp: 0, ssrc: 2)
    guard let start = try? header.write(to: memory) else { return }
    let payload = UnsafeMutableRawBufferPointer(rebasing: memory[start...])
    DataMessageHeader(uid: uid, stream: stream, isReliable: false, isOrdered: false, number: message).write(to: payload)
    payload[0] = flags
    payload[DataMessageHeader.byteCount] = flags
    let packet = UnsafeRawBufferPointer(rebasing: memory[..<(start + DataMessageHeader.byteCount + 1)])
    endpoint.receive(packet, nowNanoseconds: now)
  }

  private mutating func pump() {
    let memory = memory
    endpoint.pump(
      now: now, memory: memory, protect: { count, _ in UnsafeRawBufferPointer(rebasing: memory[..<count]) },
      send: { _ in })
  }

  private mutating func check() {
    while let event = endpoint.takeEvent() {
      switch event {
      case .message(_, let stream, let bytes):
        precondition((1...5).contains(stream) && (1...1_024).contains(bytes.count))
      case .missed(_, let stream, let missed, let cached):
        precondition((1...5).contains(stream) && missed > 0 && cached >= 0)
      }
    }
  }
}
