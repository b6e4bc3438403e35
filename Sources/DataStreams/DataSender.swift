import NetworkIO

/// Data streams of the local user, and the messages that wait for the connection.
///
/// Thread: one at a time.
package struct DataSender {
  private struct Stream {
    let isReliable: Bool
    let isOrdered: Bool
    var next: UInt32
  }

  /// Messages that wait for a connection, at most.
  private static let queuedCount = 60

  private var streams: [Stream] = []
  private var queue: [(header: DataMessageHeader, bytes: [UInt8])] = []
  private var limit = RateLimit(perSecond: DataLimits.messagesPerSecond, burst: DataLimits.messagesPerSecond)

  package init() {}

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - first: Number of its first message, at random: another number makes a restart visible.
  /// - Returns: Its number, from 1 on.
  package mutating func createStream(
    isReliable: Bool, isOrdered: Bool, first: UInt32
  ) throws(DataStreamError) -> Int {
    guard streams.count < DataLimits.streamCount else { throw .tooManyStreams }
    streams.append(Stream(isReliable: isReliable, isOrdered: isOrdered, next: first))
    return streams.count
  }

  /// Queues a message.
  package mutating func send(_ bytes: [UInt8], on stream: Int, nowNanoseconds now: Int) throws(DataStreamError) {
    guard streams.indices.contains(stream - 1) else { throw .unknownStream(stream) }
    guard (1...DataLimits.messageByteCount).contains(bytes.count) else { throw .byteCount(bytes.count) }
    guard queue.count < Self.queuedCount, limit.allows(at: Int64(now)) else { throw .tooOften }
    let state = streams[stream - 1]
    streams[stream - 1].next &+= 1
    queue.append(
      (
        DataMessageHeader(
          stream: UInt8(stream), isReliable: state.isReliable, isOrdered: state.isOrdered, number: state.next), bytes
      ))
  }

  /// Takes the next message; nil without one.
  mutating func next() -> (header: DataMessageHeader, bytes: [UInt8])? { queue.isEmpty ? nil : queue.removeFirst() }

  var hasMessages: Bool { !queue.isEmpty }
}
