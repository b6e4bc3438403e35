/// Counters of a receiver since it was made. Samples are per channel, at 48 kHz.
///
/// Names and meanings are those of W3C's webrtc-stats (RTCInboundRtpStreamStats) if it has them.
public struct JitterBufferStatistics: Hashable, Sendable, BitwiseCopyable {
  // Packets.

  /// Packets of the stream that came, without duplicates.
  public var packetsReceived = 0
  /// Bytes of the payloads of the packets that came.
  public var bytesReceived = 0
  /// Packets that had not come when they were due to be played, and have not come since. No answer to a request for
  /// them has come either.
  ///
  /// So a packet that others have only overtaken is not lost, and one that came too late is discarded instead. A packet
  /// that was not sent, as in a pause of the sender, leaves no gap in the numbers. Packets lost at a stream's end are
  /// known once the sender continues.
  public var packetsLost = 0
  /// Packets that came too late to be played, or found no free slot; retransmitted ones among them.
  public var packetsDiscarded = 0
  /// Packets that had come before.
  public var packetsDuplicated = 0
  /// Packets that were not RTP, broke their codec's format or stated a duration longer than 120 ms, or 240 ms of G.711
  /// and L16; they are left out.
  public var packetsMalformed = 0
  /// Packets that began before the end of the one that they follow; only their new part was played. At a stream's
  /// beginning, some encoders, as GStreamer's, state so the part of the first packet that was ahead of the sound.
  public var packetsOverlapping = 0
  /// Packets of another source, or with implausible numbers.
  public var packetsFromUnknownSources = 0
  /// Packets with a coarse copy of the one before them.
  public var fecPacketsReceived = 0
  /// Lost packets that were recovered from the one after them.
  public var fecPacketsUsed = 0
  /// Packets that came because they were requested. A packet that was only overtaken and comes itself as well does not
  /// count.
  public var retransmittedPacketsReceived = 0
  /// Packets that came because they were requested, in time to be played.
  public var retransmittedPacketsUsed = 0
  /// Payloads of the `null` codec that did not match their packet.
  public var payloadMismatches = 0
  /// Streams that began: the first one, and each after a restart or a pause.
  public var streamsBegun = 0
  /// Streams that began with another source than the one before.
  public var sourceChanges = 0

  // Delay.

  /// Seconds that samples from packets waited between their packet's arrival and their frame, all added up.
  public var jitterBufferDelay = 0.0
  /// Samples that `jitterBufferDelay` counts.
  public var jitterBufferEmittedCount = 0
  /// Target of the wait of those samples, in seconds, added up as in `jitterBufferDelay`.
  public var jitterBufferTargetDelay = 0.0

  // Samples.

  /// Samples rendered since the first stream began, silence included.
  public var totalSamplesReceived = 0
  /// Samples concealed for missing packets and rendered, silence included.
  public var concealedSamples = 0
  /// Concealed samples that were silence.
  public var silentConcealedSamples = 0
  /// Number of times that concealment began.
  public var concealmentEvents = 0
  /// Samples recovered from the redundancy in later packets.
  public var recoveredSamples = 0
  /// Samples added to make the delay longer.
  public var insertedSamplesForDeceleration = 0
  /// Samples left out to make the delay shorter.
  public var removedSamplesForAcceleration = 0
  /// Samples of the sender's pauses (DTX), made of comfort noise.
  public var comfortNoiseSamples = 0
  /// Samples in which no packet came for more than 200 ms though the sender had not paused.
  public var frozenSamples = 0
  /// Frozen samples in which the stream counted as ended, though its sender continued, as the numbers of its next
  /// packet showed.
  public var outageSamples = 0

  // The ledger: decoded + inserted = rendered + held + removed.

  /// Samples that came out of packets, recovered ones included.
  public var decodedSamples = 0
  /// Samples that wait to be rendered, without concealed ones.
  public var heldSamples = 0
  /// Samples of silence before a stream begins, in its pauses and behind its end.
  public var idleSamples = 0
  /// Decoded samples that had been concealed already and were left out.
  public var supersededSamples = 0
  /// Samples that waited when a stream ended or restarted, and were never rendered.
  public var droppedSamples = 0
  /// Samples added to follow a sender's clock that runs slow.
  public var insertedSamplesForDrift = 0
  /// Samples left out to follow a sender's clock that runs fast.
  public var removedSamplesForDrift = 0

  // Outages: their loss is known by time first, and by numbers once a packet comes again.

  /// Samples in which no packet came for so long that concealment had faded out, if something was lost in them as far
  /// as known.
  package var overdueSamples = 0
  /// Packets of `packetsLost` that were lost in outages beyond concealment; those of an outage that lasts are not known
  /// yet.
  package var packetsLostOverdue = 0
  /// Samples of the packet that was decoded last.
  package var samplesPerPacket = 960

  /// Creates counters before anything has happened.
  @_noLocks
  public init() {}

  /// Packets that did not come when they were first sent, even if they were recovered or sent again.
  public var packetsLostOnTheWay: Int { packetsLost + retransmittedPacketsReceived }

  /// Share of the stream's sound that was concealed, 0...1; nil before any sound.
  public var concealedShare: Double? {
    // Decoded samples count unless they had been concealed already.
    let sound = concealedSamples + decodedSamples - supersededSamples + comfortNoiseSamples
    return sound > 0 ? Double(concealedSamples) / Double(sound) : nil
  }

  /// Mean delay of a sample in the buffer, in milliseconds; 0 before the first one.
  public var meanJitterBufferDelayMilliseconds: Double {
    jitterBufferEmittedCount == 0 ? 0 : jitterBufferDelay / Double(jitterBufferEmittedCount) * 1e3
  }
}
