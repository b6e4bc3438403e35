/// Delivery of local packets to the remote party, as far as it is known.
public struct DeliveryReport: Hashable, Sendable, BitwiseCopyable {
  /// Share of local packets that did not arrive, of those due since the last assessment, 0...1. nil if nobody has
  /// reported, or nobody reports any more.
  public var loss: Double?
  /// Whether the remote party has reported before, but nothing at all has come from it for three intervals of its
  /// reports.
  public var isInterrupted = false
  /// Whether the remote party has reported before, but not for three intervals of its reports, regardless of its other
  /// packets.
  public var isUnreported = false
  /// Packets assessed in total.
  public var dueCount = 0
  /// Assessed packets that did not arrive. The count can decrease if packets arrive late.
  public var lostCount = 0
  /// Time of sending of a packet that is known to have arrived, in nanoseconds of the reports' clock; nil if none is
  /// known.
  public var heardNanoseconds: Int?

  /// Creates a report of an unknown delivery.
  @_noLocks
  public init() {}

  @_noLocks
  init(loss: Double) { self.loss = loss }
}
