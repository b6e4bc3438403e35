/// How often statistics are told: every 2 s of the pipeline's own time.
package enum StatisticsInterval {
  package static var ticks: Int { @_noLocks get { 200 } }

  /// Whether one ends when so many ticks are over.
  @_noLocks
  static func ends(afterTicks count: Int) -> Bool { count % ticks == 0 }

  /// The end of the interval that is under way after so many ticks.
  package static func end(afterTicks count: Int) -> Int { (count / ticks + 1) * ticks }
}
