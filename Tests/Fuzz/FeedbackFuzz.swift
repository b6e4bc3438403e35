import RTP

/// Lets two sides of RTCP report to each other and ask each other for packets, over a network that does what the input
/// says; see run.
///
/// Each step is a byte: time passes and what is due is written, a packet of one side's comes or does not, a datagram
/// comes as it was written or with a byte changed, or bytes from nowhere come.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFeedback(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var call = FuzzedCall(FuzzBytes(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)))
  call.run()
  return 0
}

private struct FuzzBytes {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isEmpty: Bool { position >= bytes.count }

  mutating func next() -> UInt8 {
    guard position < bytes.count else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  mutating func take(_ wanted: Int) -> UnsafeRawBufferPointer {
    let taken = min(wanted, bytes.count - position)
    defer { position += taken }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + taken)])
  }
}

private struct FuzzedCall: ~Copyable {
  private var input: FuzzBytes
  /// The one that speaks, and the one that listens.
  private var speaker: RTCPSession
  private var listener: RTCPSession
  private var kept = RetransmissionCache(capacity: 16, maximumByteCount: 64)
  /// Fed beside the listener's own, to look at all that it counts.
  private var missing = NackTracker()
  private var unwrapper = SequenceUnwrapper()
  private var now = 0
  private var number: UInt16 = 65_500
  private var timestamp: UInt32 = 0xFFFF_0000
  /// As many numbers as the speaker may have passed.
  private var sentCount = 0
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 8)

  init(_ input: FuzzBytes) {
    self.input = input
    func options(_ ssrc: UInt32) -> RTCPSessionOptions {
      RTCPSessionOptions(
        ssrc: ssrc, name: "\(ssrc)@fuzz", usesReducedSizeRTCP: ssrc == 2, sessionBitsPerSecond: 1_000_000)
    }
    speaker = RTCPSession(options(1), nowNanoseconds: 0, random: 0.5)
    listener = RTCPSession(options(2), nowNanoseconds: 0, random: 0.25)
  }

  deinit { memory.deallocate() }

  mutating func run() {
    while !input.isEmpty {
      let step = input.next()
      switch step & 3 {
      case 0: pass(Int(step >> 2) * 1_000_000)
      case 1: speak(step)
      case 2: exchange(step)
      default: receiveAnything(step)
      }
      check()
    }
  }

  /// Time goes by.
  private mutating func pass(_ nanoseconds: Int) {
    now += nanoseconds
    while let packet = speaker.retransmissions.next(from: kept, nowNanoseconds: now) {
      precondition(packet.count == 12, "what is sent again is not what was kept")
      arrive(try! RTPHeader(parsing: packet))
    }
  }

  /// A packet of the speaker's: lost, in time, or with numbers from anywhere.
  private mutating func speak(_ step: UInt8) {
    let jump = step & 4 == 0 ? 1 : Int16(Int8(bitPattern: input.next()))
    number &+= UInt16(bitPattern: jump)
    sentCount += max(1, Int(jump))
    timestamp &+= step & 8 == 0 ? 960 : UInt32(input.next()) &* 16_777_213
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: number, timestamp: timestamp, ssrc: step & 16 == 0 ? 1 : 3)
    speaker.sent(header, payloadByteCount: 20, nowNanoseconds: now)
    if step & 64 != 0 { speaker.refused(nowNanoseconds: now) }
    var bytes = [UInt8](repeating: 0, count: RTPHeader.byteCount)
    bytes.withUnsafeMutableBytes { _ = try! header.write(to: $0) }
    bytes.withUnsafeBytes { _ = kept.insert($0, sequenceNumber: number, nowNanoseconds: now) }
    if step & 32 == 0 { arrive(header) }
  }

  private mutating func arrive(_ header: RTPHeader) {
    _ = listener.receive(header, nowNanoseconds: now)
    missing.receive(
      unwrapper.unwrap(header.sequenceNumber), timestamp: Int(header.timestamp), nowNanoseconds: now,
      roundTripNanoseconds: 40_000_000)
  }

  /// Both write what is due, and what is written comes, whole or not.
  private mutating func exchange(_ step: UInt8) {
    let position = PlayoutPosition(
      ssrc: 1, timestamp: timestamp &- UInt32(input.next()) &* 240, nanoseconds: now, hasFEC: step & 2 == 0)
    let (target, random) = (Int(step >> 4) * 10_000_000, Double(step) / 256)
    let isOwed = listener.nextDeadlineNanoseconds(targetDelayNanoseconds: target) <= now
    var count = listener.write(
      into: memory, targetDelayNanoseconds: target, playout: step & 4 == 0 ? position : nil, nowNanoseconds: now,
      random: random)
    precondition(count == 0 || isOwed, "something was due before its deadline")
    deliver(count, toSpeaker: true, isChanged: step & 8 != 0)
    count = speaker.write(into: memory, targetDelayNanoseconds: 0, nowNanoseconds: now, random: random)
    deliver(count, toSpeaker: false, isChanged: step & 8 != 0)
    if step == 0xFE {
      deliver(speaker.writeBye(into: memory, nowNanoseconds: now), toSpeaker: false, isChanged: false)
    }
    if step & 4 == 0 { missing.pass(timestamp: Int(position.timestamp), atNanoseconds: now, hasFEC: position.hasFEC) }
    while missing.nextPair(
      nowNanoseconds: now, roundTripNanoseconds: 40_000_000, targetDelayNanoseconds: target) != nil
    {}
    if step == 0xFA { missing.reset() }
  }

  private mutating func deliver(_ count: Int, toSpeaker: Bool, isChanged: Bool) {
    precondition(count >= 0 && count <= memory.count, "more was written than there is room for")
    guard count > 0 else { return }
    let datagram = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
    var reader = try! RTCPReader(UnsafeRawBufferPointer(datagram))
    while reader.next() != nil {}
    if isChanged { datagram[Int(input.next()) % count] ^= input.next() }
    receive(UnsafeRawBufferPointer(datagram), toSpeaker)
  }

  private mutating func receiveAnything(_ step: UInt8) {
    receive(input.take(Int(step >> 2)), step & 4 == 0)
  }

  private mutating func receive(_ bytes: UnsafeRawBufferPointer, _ toSpeaker: Bool) {
    if toSpeaker {
      _ = try? speaker.receive(bytes, nowNanoseconds: now)
    } else {
      _ = try? listener.receive(bytes, nowNanoseconds: now)
    }
  }

  /// Nothing is lost in counting.
  private mutating func check() {
    let found = missing.counters
    precondition(
      found.missing == found.late + found.recovered + found.givenUp + missing.count, "a missing packet is gone")
    precondition((0..<256).contains(missing.count), "more are missing than there is room for")
    let retransmissions = speaker.retransmissions.counters
    let waiting =
      retransmissions.requested - retransmissions.retransmitted - retransmissions.gone - retransmissions.skipped
    precondition((0...128).contains(waiting), "a request is gone")
    if let delivery = speaker.takeDelivery(nowNanoseconds: now) {
      precondition((0...1).contains(delivery.loss ?? 0), "a share is no share")
      precondition((0...sentCount).contains(delivery.dueCount), "more was judged than was sent")
      precondition((0...delivery.dueCount).contains(delivery.lostCount), "more is lost than was judged")
    }
    let report = listener.report
    precondition(report.jitterNanoseconds >= 0, "jitter is below 0")
  }
}
