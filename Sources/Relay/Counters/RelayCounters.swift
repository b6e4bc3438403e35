package import Platform

/// Counts of a relay since its beginning.
public struct RelayCounters: Hashable, Sendable {
  /// Messages that came.
  public internal(set) var messages = 0
  /// Requests that were refused with `failed`.
  public internal(set) var refusals = 0
  /// Connections that the relay has ended.
  public internal(set) var disconnects = 0
  /// Datagrams that came.
  public internal(set) var datagrams = 0
  /// Datagrams of no session, dropped in silence.
  public internal(set) var unknownDatagrams = 0
  /// Bytes of the datagrams that came, without the headers of UDP and IP.
  public internal(set) var receivedBytes = 0
  /// Bytes of the datagrams that were sent, without the headers of UDP and IP.
  public internal(set) var sentBytes = 0
  /// Packets of publishers, decrypted.
  public internal(set) var packets = 0
  /// Packets sent to listeners.
  public internal(set) var forwarded = 0
  /// Packets sent to listeners again, on request.
  public internal(set) var retransmitted = 0
  /// Pauses of publishers that are not chosen as speakers, announced to listeners.
  public internal(set) var pauses = 0
  /// Packets of publishers for other channels, counted for each of them.
  public internal(set) var relayedPackets = 0
  /// Packets for other channels that were dropped, because too many waited there.
  public internal(set) var overflownRelayedPackets = 0
  /// Messages of data streams that came.
  public internal(set) var dataMessages = 0
  /// Messages of data streams sent to listeners.
  public internal(set) var forwardedMessages = 0
  /// Messages of data streams beyond the limit of their user, dropped.
  public internal(set) var limitedMessages = 0
  /// Packets of users that may not publish, and of preloads, dropped before decryption.
  public internal(set) var unauthorizedPackets = 0
  /// Packets with another SSRC than the assigned one, dropped before decryption.
  public internal(set) var otherSSRCPackets = 0
  /// Packets of publishers beyond their limit, dropped.
  public internal(set) var limitedPackets = 0
  /// Packets of muted publishers.
  public internal(set) var mutedPackets = 0
  /// Packets and RTCP datagrams that were malformed, although authentic.
  public internal(set) var malformedPackets = 0
  /// Datagrams that SRTP refused, and datagrams from addresses without a valid check.
  public internal(set) var refusedDatagrams = 0
  /// Datagrams dropped because they were longer than any of a client.
  public internal(set) var oversizedDatagrams = 0
  /// Users dropped without a packet for the time of their profile.
  public internal(set) var drops = 0
  /// Users banned.
  public internal(set) var bans = 0
  /// Connections refused because too many of their address had no session.
  public internal(set) var refusedConnections = 0
  /// Datagrams that the kernel dropped, because the relay's thread came too late for them.
  public internal(set) var droppedDatagrams = 0
  /// Datagrams that were dropped because the kernel's send buffer was full.
  public internal(set) var fullBufferDatagrams = 0
  /// Datagrams that the kernel refused, for a missing route or by a filter.
  public internal(set) var unsentDatagrams = 0
  /// Changes of users that waited for their report to others, because the user changed too often.
  public internal(set) var delayedChanges = 0
  /// Messages of users, counted for each session that they went to.
  public internal(set) var deliveredMessages = 0
  /// Joins that took over the media connection of a preload.
  public internal(set) var preloadedJoins = 0
  /// Steps of the system's calendar.
  public internal(set) var clockSteps = 0
  /// Last step of the calendar, in milliseconds.
  public internal(set) var lastClockStepMilliseconds = 0
  /// Times from a join request to the connection of its media.
  package internal(set) var joinTimes = LatencyHistogram.joinTimes
  /// Times from the arrival of a packet to its way to the listeners. Packets of a burst have that of the first.
  package internal(set) var forwardingDelays = LatencyHistogram.forwardingDelays

  /// Counts that forwarders keep.
  private static let ofMedia: [any WritableKeyPath<RelayCounters, Int> & Sendable] = [
    \.datagrams, \.unknownDatagrams, \.receivedBytes, \.sentBytes, \.packets, \.forwarded, \.retransmitted,
    \.unauthorizedPackets, \.otherSSRCPackets, \.mutedPackets, \.malformedPackets, \.refusedDatagrams,
    \.oversizedDatagrams, \.dataMessages, \.forwardedMessages, \.limitedMessages,
    \.pauses, \.relayedPackets, \.overflownRelayedPackets, \.limitedPackets,
  ]

  /// Adds the counts of a forwarder.
  mutating func add(media other: RelayCounters) {
    for count in Self.ofMedia { self[keyPath: count] += other[keyPath: count] }
    joinTimes.add(other.joinTimes)
    forwardingDelays.add(other.forwardingDelays)
  }

  /// Counts by name, for statistics.
  public var named: [(name: String, value: Int)] { described.map { ($0.name, $0.value) } }

  /// Counts by name, with a sentence for each, without its full stop.
  package var described: [(name: String, value: Int, help: String)] {
    [
      ("messages", messages, "Messages of signalling that came"),
      ("refusals", refusals, "Requests that were refused"),
      ("disconnects", disconnects, "Connections that the relay has ended"),
      ("datagrams", datagrams, "Datagrams that came"),
      ("unknown-datagrams", unknownDatagrams, "Datagrams of no session, dropped"),
      ("received-bytes", receivedBytes, "Bytes of the datagrams that came, without the headers of UDP and IP"),
      ("sent-bytes", sentBytes, "Bytes of the datagrams that were sent, without the headers of UDP and IP"),
      ("packets", packets, "Packets of publishers, decrypted"),
      ("forwarded", forwarded, "Packets sent to listeners"),
      ("retransmitted", retransmitted, "Packets sent to listeners again, on request"),
      ("announced-pauses", pauses, "Pauses of publishers that are not among a listener's speakers, announced"),
      ("relayed-packets", relayedPackets, "Packets of publishers for other channels, counted for each of them"),
      (
        "overflown-relayed-packets", overflownRelayedPackets,
        "Packets for other channels that were dropped, because too many waited there"
      ),
      ("data-messages", dataMessages, "Messages of data streams that came"),
      ("forwarded-data-messages", forwardedMessages, "Messages of data streams sent to listeners"),
      ("limited-data-messages", limitedMessages, "Messages of data streams beyond a user's limit, dropped"),
      ("unauthorized-packets", unauthorizedPackets, "Packets of users that may not publish, and of preloads, dropped"),
      ("other-ssrc-packets", otherSSRCPackets, "Packets with another SSRC than the assigned one, dropped"),
      ("limited-packets", limitedPackets, "Packets of publishers beyond their limit, dropped"),
      ("muted-packets", mutedPackets, "Packets of muted publishers"),
      ("malformed-packets", malformedPackets, "Authentic packets that were malformed, dropped"),
      ("refused-datagrams", refusedDatagrams, "Datagrams that SRTP or the connectivity checks refused, dropped"),
      ("oversized-datagrams", oversizedDatagrams, "Datagrams that were longer than any of a client, dropped"),
      ("drops", drops, "Users dropped without a packet for the time of their profile"),
      ("bans", bans, "Users banned"),
      (
        "refused-connections", refusedConnections,
        "Connections refused because too many of their address had no session"
      ),
      ("dropped-datagrams", droppedDatagrams, "Datagrams that the kernel dropped, as the relay came too late for them"),
      ("full-buffer-datagrams", fullBufferDatagrams, "Datagrams dropped, as the kernel's send buffer was full"),
      ("unsent-datagrams", unsentDatagrams, "Datagrams that the kernel refused, for a missing route or by a filter"),
      ("delayed-changes", delayedChanges, "Changes of users that waited because the user changes too often"),
      ("delivered-messages", deliveredMessages, "Messages of users, counted for each session that they went to"),
      ("preloaded-joins", preloadedJoins, "Joins that took over the connection of a preload"),
      ("clock-steps", clockSteps, "Steps of the system's calendar"),
    ]
  }
}
