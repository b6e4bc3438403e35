/// What a receiver has counted since it was made. Samples are per channel, at 48 kHz.
///
/// Names and meanings are those of W3C's webrtc-stats (RTCInboundRtpStreamStats) where it has them.
public struct JitterBufferStatistics: Hashable, Sendable, BitwiseCopyable {
  // Packets.

  /// Packets of the stream that came, duplicates left out.
  public var packetsReceived = 0
  /// Bytes of their payloads.
  public var bytesReceived = 0
  /// Packets that had not come when it was their time to be played, and have not come since, nor the answer to a
  /// request for them.
  ///
  /// So one that others have only overtaken is not lost, and what came too late is discarded instead. What was not
  /// sent, as in a pause of the sender's, leaves no gap in the numbers; what was lost at a stream's end is known once
  /// the sender goes on.
  public var packetsLost = 0
  /// Packets that came too late to be played, or found no room; those that were sent again among them.
  public var packetsDiscarded = 0
  /// Packets that had come before.
  public var packetsDuplicated = 0
  /// Packets that were no RTP, broke their codec's format or said that they last longer than 120 ms; they are left out.
  public var packetsMalformed = 0
  /// Packets that began before the end of the one that they follow; only what was new in them was played. One at a
  /// Packets that were no RTP, broke their codec's format or said that they last longer than 120 ms; left out.
  public var packetsOverlapping = 0
  /// Packets of another source, or with numbers from nowhere.
  public var packetsFromUnknownSources = 0
  /// Packets with a copy of the one before them.
  public var fecPacketsReceived = 0
  /// Lost packets that were rebuilt from the one after them.
  public var fecPacketsUsed = 0
  /// Packets that came because they had been asked for again; one that had only been overtaken and comes itself as well
  /// is none.
  public var retransmittedPacketsReceived = 0
  /// Those of them that were in time to be played.
  public var retransmittedPacketsUsed = 0
  /// Payloads of the `null` codec that were not what their packet said.
  public var payloadMismatches = 0
  /// Streams that began: the first one, and each after a restart or a pause.
  public var streamsBegun = 0
  /// Those of them that had another source than the one before.
  public var sourceChanges = 0

  // Delay.

  /// Seconds that samples from packets waited between their packet's arrival and their frame, all added up.
  public var jitterBufferDelay = 0.0
  /// Samples that `jitterBufferDelay` counts.
  public var jitterBufferEmittedCount = 0
  /// What that delay was aimed at, added up in the same way.
  public var jitterBufferTargetDelay = 0.0

  // Samples.

  /// Samples rendered since the first stream began, silence included.
  public var totalSamplesReceived = 0
  /// Samples that were made up for missing packets, silence included, and rendered.
  public var concealedSamples = 0
  /// Those of them that were silence.
  public var silentConcealedSamples = 0
  /// Times that concealment began.
  public var concealmentEvents = 0
  /// Samples rebuilt from the redundancy in later packets.
  public var recoveredSamples = 0
  /// Samples added to make the delay longer.
  public var insertedSamplesForDeceleration = 0
  /// Samples left out to make the delay shorter.
  public var removedSamplesForAcceleration = 0
  /// Samples of the sender's pauses (DTX), made of comfort noise.
  public var comfortNoiseSamples = 0
  /// Samples in which nothing came for more than 200 ms though the sender had not paused.
  public var frozenSamples = 0
  /// Those of them in which the stream counted as ended, though its sender went on, as the numbers of its next packet
  /// said.
  public var outageSamples = 0

  // The ledger: decoded + the inserted = rendered + held + the removed.

  /// Samples that came out of packets, recovered ones included.
  public var decodedSamples = 0
  /// Samples that wait to be rendered, but for those that are made up.
  public var heldSamples = 0
  /// Samples of silence before a stream begins, in its pauses and behind its end.
  public var idleSamples = 0
  /// Decoded samples that had been concealed already and were left out.
  public var supersededSamples = 0
  /// Samples that waited when a stream ended or began anew, and were never rendered.
  public var droppedSamples = 0
  /// Samples added to follow a sender's clock that runs slow.
  public var insertedSamplesForDrift = 0
  /// Samples left out to follow a sender's clock that runs fast.
  public var removedSamplesForDrift = 0

  // Outages: what is lost in them is known by time first, and by numbers once a packet comes again.

  /// Samples in which nothing came for so long that concealment had faded out, if something was lost in them as far as
  /// is known.
  package var overdueSamples = 0
  /// Packets that were lost in them, of `packetsLost`; those of an outage that lasts are not known yet.
  package var packetsLostOverdue = 0
  /// Samples of the packet that was decoded last.
  package var samplesPerPacket = 960

  /// Nothing has happened yet.
  @_noLocks
  public init() {}

  /// Packets that did not come when they were first sent, whatever was rebuilt or sent again.
  public var packetsLostOnTheWay: Int { packetsLost + retransmittedPacketsReceived }

  /// The share of the stream's sound that had to be made up, 0...1; nil where there was none.
  public var concealedShare: Double? {
    // Of what was decoded, the part counts for which nothing had been made up already.
    let sound = concealedSamples + decodedSamples - supersededSamples + comfortNoiseSamples
    return sound > 0 ? Double(concealedSamples) / Double(sound) : nil
  }

  /// The mean delay of a sample in the buffer, in milliseconds; 0 before the first one.
  public var meanJitterBufferDelayMilliseconds: Double {
    jitterBufferEmittedCount == 0 ? 0 : jitterBufferDelay / Double(jitterBufferEmittedCount) * 1e3
  }
}
