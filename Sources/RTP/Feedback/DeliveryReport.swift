/// How what one sends arrives at the other side, as far as one can know.
public struct DeliveryReport: Hashable, Sendable, BitwiseCopyable {
  /// The share of one's packets that did not arrive, of those due since it was judged last, 0...1; nil: nobody has
  /// told, or nobody tells any more.
  public var loss: Double?
  /// Whether the other side has reported, and nothing at all has come from it for three intervals of its reports.
  public var isInterrupted = false
  /// Whether the other side has reported, and has not for three intervals of its reports, whatever else comes from it.
  public var isUnreported = false
  /// Packets that have been judged in all.
  public var dueCount = 0
  /// Those of them that did not arrive. Where packets come late it can sink.
  public var lostCount = 0
  /// When something was sent that is known to have arrived, in the reports' clock; nil: of nothing is that known.
  public var heardNanoseconds: Int?

  /// Nothing is known.
  @_noLocks
  public init() {}

  @_noLocks
  init(loss: Double) { self.loss = loss }
}
