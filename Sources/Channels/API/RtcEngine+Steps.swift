import Engine
package import MediaStreams
import Platform
package import RTP

/// An engine whose environment is stepped: the caller makes the pipeline's ticks, and serves the channels.
extension RtcEngine {
  /// Serves the channels once: takes what has come, and sends what is due.
  package func pump() { loop.pump() }

  /// Time at which `pump` is due without news of the network; nil if none is needed.
  package var nextDeadlineNanoseconds: Int? { loop.nextDeadlineNanoseconds }

  /// Notes that all packets that have come before a time are there.
  package func complete(untilNanoseconds time: Int) {
    let connections = state.withLock { [$0.main].compactMap(\.self) + ($0.echoTest?.connections ?? []) }
    for connection in connections {
      connection.use { channel, _ in channel.media.complete(untilNanoseconds: time) }
    }
  }

  /// The jitter buffer of a user of the main channel; nil without its packets.
  package func source(of uid: UInt32) -> RTPSource? {
    connection?.use { channel, _ in channel.media.received(uid)?.source } ?? nil
  }

  /// Report about the packets of a user of the main channel; nil without its packets.
  package func report(of uid: UInt32) -> RTCPSessionReport? {
    connection?.use { channel, _ in channel.media.received(uid)?.report } ?? nil
  }

  /// Report about the packets of the local user in the main channel; nil before the first.
  package var sentReport: RTCPSessionReport? {
    connection?.use { channel, _ in channel.media.sentReport } ?? nil
  }
}
