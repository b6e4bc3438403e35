/// State of the two directions between two parties, by their reports.
public struct RTCPSessionReport: Hashable, Sendable, BitwiseCopyable {
  /// Smoothed round trip, in nanoseconds; nil before it is known.
  public var roundTripNanoseconds: Int?
  /// Reports of the remote party about local packets.
  public var reportsReceived = 0
  /// Delivery of local packets, at the last assessment.
  public var delivery = DeliveryReport()
  /// Packets of the present local source that the remote party had lost by its newest report, including those due by
  /// then. Late packets are subtracted. The count stalls while no report arrives.
  ///
  /// `delivery.lostCount` counts among the assessed packets, `dueCount`. It continues if nobody hears the packets any
  /// more or ever has, and across changes of the local source.
  public var remotePacketsLost = 0
  /// Jitter of local packets at the remote party, in nanoseconds.
  public var remoteJitterNanoseconds = 0
  /// Packets of the remote party that were lost on the path here, even if recovered.
  public var packetsLost = 0
  /// Jitter of the remote party's packets here, in nanoseconds (RFC 3550).
  public var jitterNanoseconds = 0
  /// Outcome of the packets that were missing here.
  public var missing = NackCounters()
  /// Outcome of the packets that the remote party requested.
  public var retransmissions = RetransmissionCounters()
  /// Whether the remote party has sent a BYE.
  public var hasLeft = false

  @_noLocks
  init() {}

  /// Returns the report with the counts of an earlier session of the two parties added.
  public func continuing(_ earlier: RTCPSessionReport) -> RTCPSessionReport {
    var sum = self
    sum.reportsReceived += earlier.reportsReceived
    sum.delivery.dueCount += earlier.delivery.dueCount
    sum.delivery.lostCount += earlier.delivery.lostCount
    sum.remotePacketsLost += earlier.remotePacketsLost
    sum.packetsLost += earlier.packetsLost
    sum.missing = missing + earlier.missing
    sum.retransmissions = retransmissions + earlier.retransmissions
    return sum
  }
}
