/// Streams of the remote users of a channel: messages in order, and numbers that have not come.
///
/// Thread: one at a time.
struct DataReceiver {
  private struct Key: Hashable {
    let uid: UInt32
    let stream: UInt8
  }

  /// Streams at most, and bytes of the messages that wait.
  private static let largestStreamCount = 10_000
  private static let largestByteCount = 4 << 20

  private var streams: [Key: ReceivedDataStream] = [:]
  private var events: [DataStreamEvent] = []
  /// Streams that may have a deadline, in the order of their first message, so that two runs have one order of events.
  private var waiting: [Key] = []
  private var heldByteCount = 0

  /// Takes the payload of a packet.
  ///
  /// - Returns: Whether it is a message.
  mutating func receive(_ payload: UnsafeRawBufferPointer, packet: Int, lowestMissing: Int?, _ now: Int) -> Bool {
    guard let header = DataMessageHeader(payload) else { return false }
    let key = Key(uid: header.uid, stream: header.stream)
    let known = streams[key]
    guard known != nil || streams.count < Self.largestStreamCount else { return false }
    // Another kind of stream under its number: the sender has restarted.
    if let known, known.isReliable != header.isReliable || known.isOrdered != header.isOrdered {
      change(key) { $0.giveUp($1) }
      streams[key] = nil
    }
    if streams[key] == nil { streams[key] = ReceivedDataStream(header) }
    let bytes = Array(payload.dropFirst(DataMessageHeader.byteCount))
    change(key) { $0.receive(header, bytes, packet: packet, lowestMissing: lowestMissing, now, $1) }
    if heldByteCount > Self.largestByteCount { change(key) { $0.giveUp($1) } }
    return true
  }

  /// Does the work that is due.
  mutating func poll(lowestMissing: Int?, _ now: Int) {
    for key in waiting {
      change(key) { stream, emit in
        stream.beginIfComplete(lowestMissing: lowestMissing, now, emit)
        stream.expire(now, emit)
      }
    }
  }

  /// Time of the next `poll`; nil if none is needed.
  var nextDeadlineNanoseconds: Int? { waiting.lazy.compactMap { streams[$0]?.nextDeadlineNanoseconds }.min() }

  /// Ends the streams of a user that has left.
  mutating func remove(_ uid: UInt32) {
    for stream in 1...UInt8(DataLimits.streamCount) {
      let key = Key(uid: uid, stream: stream)
      guard streams[key] != nil else { continue }
      change(key) { $0.giveUp($1) }
      streams[key] = nil
    }
  }

  mutating func takeEvent() -> DataStreamEvent? { events.isEmpty ? nil : events.removeFirst() }

  private mutating func change(
    _ key: Key, _ body: (inout ReceivedDataStream, (DataStreamEvent) -> Void) -> Void
  ) {
    guard var stream = streams.removeValue(forKey: key) else { return }
    let before = stream.heldByteCount
    var emitted: [DataStreamEvent] = []
    body(&stream) { emitted.append($0) }
    events += emitted
    heldByteCount += stream.heldByteCount - before
    let isWaiting = stream.nextDeadlineNanoseconds != nil
    streams[key] = stream
    if isWaiting, !waiting.contains(key) { waiting.append(key) }
    if !isWaiting { waiting.removeAll { $0 == key } }
  }
}
