import Engine
public import MediaStreams
public import NetworkSimulation
public import Platform
public import RTP
public import Signalling

/// Result of a simulated call.
public struct CallResult: Sendable {
  /// Result of one listener.
  public struct Listener: Sendable {
    /// The listener; 0 is the silent one.
    public let uid: UInt32
    /// Results for each of the other users, in the order of users. A user with several channels in common with the
    /// listener has one for each: the call first, then the others by name.
    public let heard: [HeardUser]
  }

  /// The listeners, in the order of users; the silent one comes last.
  public let listeners: [Listener]
  /// Events of the script and the pipelines, in the order of time.
  public let events: [SimulationEvent]
  /// Duration of the call, in seconds.
  public let durationSeconds: Double
  /// Whether the call was ended early.
  public let isCancelled: Bool
  /// Warnings of file readers.
  public let warnings: [String]
  /// Counts of the relay, by name; empty without one.
  public internal(set) var relayCounters: [(name: String, value: Int)] = []
  /// Places for rare faults that the call has reached, in the order of their declaration.
  public internal(set) var reachPoints: [ReachPoint] = []
}

/// Result of one user at one listener.
public struct HeardUser: Sendable {
  /// The user that was heard.
  public let uid: UInt32
  /// Channel of the relay in which the user was heard; nil: the call.
  public internal(set) var channel: ChannelName?
  /// Packets sent to this listener.
  public let packetsSent: Int
  /// Sent packets that the link lost or dropped on first transmission, even if recovered or retransmitted later.
  public let packetsLost: Int
  /// Packets that arrived and exceeded the listener's capacity, because too many arrived at once.
  public let packetsRefused: Int
  /// Counters of the link for these packets.
  public let link: LinkCounters
  /// The receiver's counters + sound not heard while it had no stream: lost before the first packet arrived, in an
  /// outage of more than 15 s, or up to the end.
  public let statistics: JitterBufferStatistics
  /// Report of the listener's RTCP session: the round trip, missing and requested packets; nil if the two never met.
  public let feedback: RTCPSessionReport?
  /// Report of the user's own RTCP session: reports and requests from the listener; nil if the two never met.
  public let remoteReport: RTCPSessionReport?
  /// Mouth-to-ear delay, from capture to playout and including the codec's own delay, of frames that came from packets.
  public let delay: DurationDistribution
  /// Time in the jitter buffer.
  public let buffer: DurationDistribution
  /// Results second by second, without seconds in which one of the two was not in the call.
  public let seconds: [HeardSecond]

  /// Share of the stream's sound that was concealed; 1 if packets were sent and none arrived.
  public var concealedShare: Double {
    // Nothing was heard of packets that never arrived.
    if packetsSent > 0, statistics.packetsReceived == 0 { return 1 }
    return statistics.concealedShare ?? 0
  }

  /// Estimated mean opinion score, see `MOSEstimate`; nil if nothing was sent, or the user was muted all the time.
  public var mos: Double? {
    guard packetsSent > 0, seconds.contains(where: { $0.mos != nil }) else { return nil }
    return MOSEstimate.score(concealed: concealedShare, delayMilliseconds: delay.meanMilliseconds)
  }
}

/// Result of one user at one listener in one second.
public struct HeardSecond: Hashable, Sendable {
  /// Start of the second, in seconds of the listener's time.
  public let timeSeconds: Int
  /// Packets sent.
  public internal(set) var sent: Int
  /// Packets that arrived.
  public let packets: Int
  /// Packets sent in this second that did not arrive on first transmission, even if recovered or retransmitted later.
  public internal(set) var lost: Int
  /// Packets that arrived too late, including retransmitted packets.
  public let late: Int
  /// Lost packets recovered from the next packet.
  public let recovered: Int
  /// Lost packets retransmitted in time.
  public internal(set) var retransmitted: Int
  /// Concealed sound, in milliseconds.
  public internal(set) var concealedMilliseconds: Double
  /// Sound inserted and removed to change the delay, in milliseconds.
  public let stretchedMilliseconds: Double
  /// Time in which no packet had arrived for more than 200 ms, in milliseconds.
  public internal(set) var frozenMilliseconds: Double
  /// Mean mouth-to-ear delay, in milliseconds; nil if no frame came from a packet.
  public let delayMilliseconds: Double?
  /// Mean time in the jitter buffer, in milliseconds; nil if no frame came from a packet.
  public let bufferMilliseconds: Double?
  /// Mean target delay of the jitter buffer, in milliseconds; nil if no frame came from a packet.
  public let targetMilliseconds: Double?
  /// Estimated mean opinion score; 1 if nothing was heard of the user's speech.
  ///
  /// Nil if the user sent no sound in this second and the one before, so that nothing could be heard. Also nil if the
  /// listener had muted the user.
  public internal(set) var mos: Double?
}
