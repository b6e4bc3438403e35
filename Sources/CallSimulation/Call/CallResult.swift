import Engine
public import MediaStreams
public import NetworkSimulation
public import RTP

/// What came of a simulated call.
public struct CallResult: Sendable {
  /// What one user heard.
  public struct Listener: Sendable {
    /// The listener; 0 is the one who says nothing.
    public let uid: UInt32
    /// What came from each of the others, in the order of users.
    public let heard: [HeardUser]
  }

  /// The listeners, in the order of users; the one who says nothing comes last.
  public let listeners: [Listener]
  /// What the script did and the pipelines told, in the order of time.
  public let events: [CallEvent]
  /// How long the call lasted.
  public let durationSeconds: Double
  /// True where it was ended early.
  public let isCancelled: Bool
  /// What readers of files had to say.
  public let warnings: [String]
}

/// What one user had of another.
public struct HeardUser: Sendable {
  /// Who was heard.
  public let uid: UInt32
  /// Packets that were sent to this listener.
  public let packetsSent: Int
  /// Those of them that did not come when they were first sent: the link lost or dropped them, whatever was rebuilt or
  /// sent again.
  public let packetsLost: Int
  /// Packets that came and found no room at the listener, because too many came at once.
  public let packetsRefused: Int
  /// What the link did with them.
  public let link: LinkCounters
  /// What the receiver counted, and what was not heard while it had no stream: lost before the first packet came, in an
  /// outage of more than 15 s, or up to the end.
  public let statistics: JitterBufferStatistics
  /// What the listener's reports tell: the round trip, what was missing and asked for; nil if the two never met.
  public let feedback: RTCPSessionReport?
  /// What the user's own do: what the listener has told it, and asked for.
  public let told: RTCPSessionReport?
  /// From mouth to ear: capture to playout, the codec's own delay included; of what came out of packets.
  public let delay: DurationDistribution
  /// How long it waited in the jitter buffer.
  public let buffer: DurationDistribution
  /// The same, second by second; seconds in which one of the two was not in the call are left out.
  public let seconds: [HeardSecond]

  /// The share of the stream's sound that had to be made up; all of it where no packet has come.
  public var concealedShare: Double {
    // Of what was sent and never came, nothing was heard.
    if packetsSent > 0, statistics.packetsReceived == 0 { return 1 }
    return statistics.concealedShare ?? 0
  }

  /// How people would judge it: see `MOSEstimate`; nil where nothing was sent, or muted all the time.
  public var mos: Double? {
    guard packetsSent > 0, seconds.contains(where: { $0.mos != nil }) else { return nil }
    return MOSEstimate.score(concealed: concealedShare, delayMilliseconds: delay.meanMilliseconds)
  }
}

/// What one user had of another in one second.
public struct HeardSecond: Hashable, Sendable {
  /// When it began, in seconds of the listener's time.
  public let timeSeconds: Int
  /// Packets that were sent.
  public internal(set) var sent: Int
  /// Packets that came.
  public let packets: Int
  /// Packets that were sent in it and did not come, whatever was rebuilt or sent again.
  public internal(set) var lost: Int
  /// Packets that came too late, those that were sent again among them.
  public let late: Int
  /// Lost packets that were rebuilt from the next one.
  public let recovered: Int
  /// Lost packets that were sent again in time.
  public internal(set) var retransmitted: Int
  /// Sound that was made up.
  public internal(set) var concealedMilliseconds: Double
  /// Sound added and left out to change the delay.
  public let stretchedMilliseconds: Double
  /// Time in which nothing had come for more than 200 ms.
  public internal(set) var frozenMilliseconds: Double
  /// Mean delay from mouth to ear; nil where nothing came out of packets.
  public let delayMilliseconds: Double?
  /// Mean time in the jitter buffer; nil where nothing came out of packets.
  public let bufferMilliseconds: Double?
  /// What that was aimed at; nil likewise.
  public let targetMilliseconds: Double?
  /// How people would judge it, 1 where nothing was heard of what was said; nil where nothing was said in this second
  /// nor in the one before, so that nothing could be heard, or where the listener had muted the speaker.
  public internal(set) var mos: Double?
}
