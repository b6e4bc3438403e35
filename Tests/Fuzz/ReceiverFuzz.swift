import AudioGraph
import Glibc
import MediaStreams
import RTP

/// Plays whatever a network may bring through receivers in virtual time; see run.
///
/// The first byte chooses codec and channels, and whether a side of RTCP judges packets first, hears reports and writes
/// its own, as where a program receives. Then each step is a byte that says what happens: some frames are rendered, or
/// a packet comes, either with a header of its own (sequence number and timestamp by how far they are from the last
/// ones, the source, how long it took, whether it has been sent again) and the following bytes as payload, or the
/// following bytes as they are; or for 4 s every other packet takes a longer way than the others; or the sender says
/// goodbye, or nobody listens any more, or a datagram of RTCP comes. Payloads of up to 4095 bytes come: more than any
/// network brings.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReceiver(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(bytes, count)
  let choice = input.next()
  let codecs: [ReceiverCodec] = [
    .opus, .linear16(), .null, .pcmu, .pcma, .linear16(sampleRate: 44_100, channelCount: 2),
  ]
  let options = JitterBufferOptions(
    codec: codecs[Int(choice % 6)], channelCount: choice & 8 == 0 ? 1 : 2)
  guard var receiver = try? JitterBuffer(options) else { fatalError("no receiver for \(options)") }
  guard let format = try? AudioFormat(sampleRate: 48_000, channelCount: options.channelCount) else { return 0 }
  let memory = FrameMemory(count: 1, format: format)
  let frame = memory[0]
  let origins: [PacketOrigin] = [.first, .retransmitted, .retransmittedInReach, .first]
  var (now, sequenceNumber, timestamp) = (0, UInt16(65_530), UInt32(0xFFFF_F000))
  let hasSession = choice & 16 != 0
  let side = RTCPSessionOptions(ssrc: 9, name: "9@fuzz", usesReducedSizeRTCP: true, sessionBitsPerSecond: 1_000_000)
  var session = RTCPSession(side, nowNanoseconds: 0, random: 0.5)
  let written = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 8)
  defer { written.deallocate() }
  func deliver(_ packet: [UInt8], at arrival: Int, _ origin: PacketOrigin = .first) {
    packet.withUnsafeBytes { bytes in
      guard hasSession, let content = try? PacketContent(of: bytes, options) else {
        return receiver.insert(bytes, arrivalNanoseconds: arrival, origin: origin)
      }
      let classification = session.receive(
        content.view.header, announcesPause: content.info.isDiscontinued, nowNanoseconds: now)
      receiver.insert(bytes, arrivalNanoseconds: now, origin: classification.origin, decision: classification.decision)
    }
  }
  func render() {
    now += 10_000_000
    receiver.render(into: frame, nowNanoseconds: now)
    check(receiver, frame)
    guard hasSession else { return }
    let report = receiver.report
    let count = session.write(
      into: written, targetDelayNanoseconds: report.targetDelayNanoseconds, playout: report.playout,
      nowNanoseconds: now, random: 0.5)
    guard count > 0, var reader = try? RTCPReader(UnsafeRawBufferPointer(rebasing: written[..<count])) else {
      return precondition(count == 0, "what is written is no RTCP")
    }
    while reader.next() != nil {}
    let missing = session.report.missing
    precondition(missing.requested >= 0 && missing.missing >= 0, "a count is below 0")
  }
  /// 10 ms of Opus silence.
  func receive(_ number: UInt16, _ timestamp: UInt32) {
    var packet = [UInt8](repeating: 0, count: RTPHeader.byteCount) + [0xF0, 0xFF, 0xFE]
    let header = RTPHeader(marker: false, payloadType: 111, sequenceNumber: number, timestamp: timestamp, ssrc: 0)
    packet.withUnsafeMutableBytes { _ = try? header.write(to: $0) }
    deliver(packet, at: now)
  }
  while !input.isEmpty {
    let step = input.next()
    if step & 3 == 0 {
      for _ in 0...(step >> 2) { render() }
    } else if step == 0xFF {
      receiver.receiveBye()
    } else if step == 0xFB {
      receiver.isDecoding.toggle()
    } else if step == 0xF7 {
      let late = Int(input.next())
      for index in 0..<400 {
        // What is odd comes so many packets later, or not at all: to wait for it is to wait for up to 2.5 s.
        if index % 2 == 0 { receive(sequenceNumber &+ UInt16(index), timestamp &+ UInt32(480 * index)) }
        let odd = index - late
        if odd >= 0, odd % 2 == 1 { receive(sequenceNumber &+ UInt16(odd), timestamp &+ UInt32(480 * odd)) }
        render()
      }
      sequenceNumber &+= 400
      timestamp &+= 192_000
    } else if step == 0xF3 {
      let news = input.packet().withUnsafeBytes { try? session.receive($0, nowNanoseconds: now) }
      if news?.hasLeft == true { receiver.receiveBye() }
    } else if step & 3 == 3 {
      deliver(input.packet(), at: now)
    } else {
      sequenceNumber &+= UInt16(bitPattern: Int16(Int8(bitPattern: input.next())))
      // Mostly as much as packets last, now and then anything.
      timestamp &+= step & 4 == 0 ? 960 : UInt32(bitPattern: Int32(Int8(bitPattern: input.next()))) &* 7_919
      var packet = [UInt8](repeating: 0, count: RTPHeader.byteCount) + input.packet()
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: sequenceNumber, timestamp: timestamp,
        ssrc: UInt32(step >> 6))
      packet.withUnsafeMutableBytes { _ = try? header.write(to: $0) }
      deliver(packet, at: now + Int(step) * 50_000, origins[Int(step >> 3) & 3])
    }
  }
  return 0
}

/// Whatever comes, the ledger closes, little waits, and samples are numbers.
private func check(_ receiver: borrowing JitterBuffer, _ frame: Frame) {
  let statistics = receiver.statistics
  precondition(statistics.ledger.imbalance() == 0, "the ledger does not close")
  precondition(statistics.heldSamples >= 0 && statistics.heldSamples < 24_000, "too much waits")
  precondition(statistics.packetsLost >= 0 && statistics.concealedSamples >= 0, "a count is below 0")
  precondition(
    statistics.retransmittedPacketsUsed >= 0
      && statistics.retransmittedPacketsUsed <= statistics.retransmittedPacketsReceived,
    "more was used than was sent again")
  precondition(receiver.report.targetDelayNanoseconds >= 0, "a delay is below 0")
  for channel in 0..<frame.channelCount {
    for index in 0..<480 { precondition(frame.channel(channel)[index].isFinite, "a sample is no number") }
  }
}

private struct FuzzInput {
  private let bytes: UnsafePointer<UInt8>
  private let count: Int
  private var position = 0

  init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    self.bytes = bytes
    self.count = count
  }

  var isEmpty: Bool { position >= count }

  mutating func next() -> UInt8 {
    guard position < count else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  /// So many of the bytes that follow as the next one says. From 240 on, two bytes say a length of 0 to 4095, and what
  /// the third says is repeated up to there: so there are packets longer than any network brings in inputs of a few
  /// bytes.
  mutating func packet() -> [UInt8] {
    let size = Int(next())
    guard size >= 240 else { return take(size) }
    let length = (size - 240) << 8 | Int(next())
    let pattern = take(Int(next()))
    guard !pattern.isEmpty else { return [UInt8](repeating: 0, count: length) }
    return (0..<length).map { pattern[$0 % pattern.count] }
  }

  private mutating func take(_ wanted: Int) -> [UInt8] {
    let taken = min(wanted, count - position)
    defer { position += taken }
    return Array(UnsafeBufferPointer(start: bytes + position, count: taken))
  }
}
