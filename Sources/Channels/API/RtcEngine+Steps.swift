import Engine
package import MediaStreams
import Platform
package import RTP
package import RelayClient

/// An engine whose environment is stepped: the caller makes the pipeline's ticks, and serves the channels.
extension RtcEngine {
  /// Serves the channels once: takes what has come, and sends what is due.
  package func pump() { loop.pump() }

  /// Time at which `pump` is due without news of the network; nil if none is needed.
  package var nextDeadlineNanoseconds: Int? { loop.nextDeadlineNanoseconds }

  /// Notes that all packets that have come before a time are there.
  package func complete(untilNanoseconds time: Int) {
    let connections = state.withLock { $0.joined + ($0.echoTest?.connections ?? []) }
    for connection in connections {
      connection.use { channel, _ in channel.media.complete(untilNanoseconds: time) }
    }
  }

  /// The newest channel of a name beside the main one; nil without one.
  package func further(channel: String) -> RtcConnection? {
    state.withLock { $0.others.last { $0.channel == channel } }
  }
}

extension RtcConnection {
  /// Settings in the channel; those of an audience without it.
  package var settings: ChannelSettings { use { channel, _ in channel.membership.settings } ?? ChannelSettings() }

  /// Packets of the local user so far.
  package var sentPacketCount: Int { use { channel, _ in channel.media.sentPacketCount } ?? 0 }

  /// The jitter buffer of a user; nil without its packets.
  package func source(of uid: UInt32) -> RTPSource? {
    use { channel, _ in channel.media.received(uid)?.source } ?? nil
  }

  /// Report about the packets of a user; nil without its packets.
  package func report(of uid: UInt32) -> RTCPSessionReport? {
    use { channel, _ in channel.media.received(uid)?.report } ?? nil
  }

  /// Report about the packets of the local user; nil before the first.
  package var sentReport: RTCPSessionReport? { use { channel, _ in channel.media.sentReport } ?? nil }
}
