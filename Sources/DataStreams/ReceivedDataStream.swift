/// Messages of one stream of a remote user: their order, and the numbers that are missing.
///
/// | stream | a message that is late | a number that is missing |
/// |---|---|---|
/// | reliable, ordered | comes before the later ones, which wait | is reported after 2 s |
/// | reliable | comes at once | is reported after 2 s |
/// | ordered | is dropped | is reported with the next message |
/// | neither | comes at once | is reported after 200 ms |
struct ReceivedDataStream {
  /// Numbers by which a message may be ahead or behind; a larger step is a restart of the sender.
  private static let largestStep = 4_096

  let uid: UInt32
  let stream: Int
  let isReliable: Bool
  let isOrdered: Bool
  /// Bytes of the messages that wait.
  private(set) var heldByteCount = 0
  /// Highest number; nil while it is unknown which message is the first.
  private var highest: UInt32?
  private var missing: [(number: UInt32, nanoseconds: Int)] = []
  private var held: [UInt32: [UInt8]] = [:]
  /// Packet with the first known message, and the end of the wait for earlier packets.
  private var start: (packet: Int, nanoseconds: Int)?
  /// Whether the relay awaits earlier messages of the sender.
  private var mayFollowEarlier = false
  /// Number of the first message.
  private var first: UInt32 = 0

  init(_ header: DataMessageHeader) {
    uid = header.uid
    stream = Int(header.stream)
    isReliable = header.isReliable
    isOrdered = header.isOrdered
  }

  private var waits: Bool { isReliable && isOrdered }

  /// Takes a message.
  ///
  /// - Parameters:
  ///   - packet: Number of its packet.
  ///   - lowestMissing: Lowest number of a packet that is missed: it may have an earlier message.
  mutating func receive(
    _ header: DataMessageHeader, _ bytes: [UInt8], packet: Int, lowestMissing: Int?, _ now: Int,
    _ emit: (DataStreamEvent) -> Void
  ) {
    let number = header.number
    mayFollowEarlier = header.mayFollowEarlier
    if highest == nil {
      if waits, start == nil, mayFollowEarlier || lowestMissing.map({ $0 < packet }) ?? false {
        start = (packet, now + DataLimits.beginningNanoseconds)
      }
      guard start == nil else { return hold(number, bytes) }
      begin(at: number)
    }
    take(number, bytes, now, emit)
  }

  private mutating func begin(at number: UInt32) {
    highest = number &- 1
    first = number
  }

  private mutating func take(_ number: UInt32, _ bytes: [UInt8], _ now: Int, _ emit: (DataStreamEvent) -> Void) {
    var step = Int(Int32(bitPattern: number &- (highest ?? number)))
    if abs(step) > Self.largestStep {
      giveUp(emit)
      begin(at: number)
      step = 1
    }
    if step > 0 {
      let wait = isReliable ? DataLimits.repetitionNanoseconds : isOrdered ? 0 : DataLimits.reorderingNanoseconds
      for distance in 1..<max(1, step) {
        missing.append((number &- UInt32(step - distance), now + wait))
      }
      highest = number
      if isOrdered, !isReliable { expire(now, emit) }
    } else if let index = missing.firstIndex(where: { $0.number == number }) {
      missing.remove(at: index)
    } else if isOrdered {
      // The stream began without the message.
      if Int32(bitPattern: number &- first) < 0 {
        emit(.missed(uid: uid, stream: stream, missed: 1, cached: held.count))
      }
      return
    }
    guard waits else { return emit(.message(uid: uid, stream: stream, bytes: bytes)) }
    hold(number, bytes)
    release(emit)
  }

  private mutating func hold(_ number: UInt32, _ bytes: [UInt8]) {
    heldByteCount += bytes.count - (held[number]?.count ?? 0)
    held[number] = bytes
  }

  /// Passes the messages on for which no earlier one is awaited.
  private mutating func release(_ emit: (DataStreamEvent) -> Void) {
    let end = missing.first?.number ?? (highest ?? 0) &+ 1
    let ready = held.keys.filter { Int32(bitPattern: $0 &- end) < 0 }.sorted { Int32(bitPattern: $0 &- $1) < 0 }
    for number in ready {
      guard let bytes = held.removeValue(forKey: number) else { continue }
      heldByteCount -= bytes.count
      emit(.message(uid: uid, stream: stream, bytes: bytes))
    }
  }

  /// Begins with the lowest number as soon as no earlier packet is awaited.
  mutating func beginIfComplete(lowestMissing: Int?, _ now: Int, _ emit: (DataStreamEvent) -> Void) {
    guard let start else { return }
    let isComplete = !mayFollowEarlier && lowestMissing.map { $0 > start.packet } ?? true
    guard isComplete || now >= start.nanoseconds else { return }
    self.start = nil
    let messages = held.sorted { Int32(bitPattern: $0.key &- $1.key) < 0 }
    held = [:]
    heldByteCount = 0
    guard let first = messages.first else { return }
    begin(at: first.key)
    for (number, bytes) in messages { take(number, bytes, now, emit) }
  }

  /// Time of the next change without a message; nil if there is none.
  var nextDeadlineNanoseconds: Int? { start?.nanoseconds ?? missing.first?.nanoseconds }

  /// Reports the numbers for which nothing more is awaited.
  mutating func expire(_ now: Int, _ emit: (DataStreamEvent) -> Void) {
    let count = missing.prefix { $0.nanoseconds <= now }.count
    if count > 0 { report(count, emit) }
  }

  /// Awaits no message any more.
  mutating func giveUp(_ emit: (DataStreamEvent) -> Void) {
    if start != nil { beginIfComplete(lowestMissing: nil, .max / 2, emit) }
    if !missing.isEmpty { report(missing.count, emit) }
  }

  private mutating func report(_ count: Int, _ emit: (DataStreamEvent) -> Void) {
    missing.removeFirst(count)
    emit(.missed(uid: uid, stream: stream, missed: count, cached: held.count))
    if waits { release(emit) }
  }
}
