/// Interval of the statistics: 2 s of the pipeline's own time.
package enum StatisticsInterval {
  package static var ticks: Int { @_noLocks get { 200 } }

  /// Returns whether an interval ends after `count` ticks.
  @_noLocks
  static func ends(afterTicks count: Int) -> Bool { count % ticks == 0 }

  /// Returns the end of the interval that is under way after `count` ticks, in ticks.
  package static func end(afterTicks count: Int) -> Int { (count / ticks + 1) * ticks }
}
