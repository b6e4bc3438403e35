/// What is known of the two directions between two parties, by their reports.
public struct RTCPSessionReport: Hashable, Sendable, BitwiseCopyable {
  /// The time there and back, smoothed, in nanoseconds; nil before it is known.
  public var roundTripNanoseconds: Int?
  /// Reports of the other side about what is sent to it.
  public var reportsReceived = 0
  /// How what is sent arrives there, as it was judged last.
  public var delivery = DeliveryReport()
  /// Packets of one's present source that the other side had lost by its newest report, with those that it should have
  /// had by then; what came late is taken back. It stands still while no report comes.
  ///
  /// `delivery.lostCount` is what has been judged, beside `dueCount`: it goes on where nobody hears any more or never
  /// has, and over changes of one's source.
  public var remotePacketsLost = 0
  /// How unevenly packets arrive there, in nanoseconds.
  public var remoteJitterNanoseconds = 0
  /// Packets of the other side that were lost on the way here, whatever brought them back.
  public var packetsLost = 0
  /// How unevenly packets arrive here, in nanoseconds (RFC 3550).
  public var jitterNanoseconds = 0
  /// What has become of packets that were missing here.
  public var missing = NackCounters()
  /// What has become of packets that were asked for there.
  public var retransmissions = RetransmissionCounters()
  /// Whether the other side has said goodbye.
  public var hasLeft = false

  @_noLocks
  init() {}

  /// The same with what was counted in an earlier session of the two.
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
