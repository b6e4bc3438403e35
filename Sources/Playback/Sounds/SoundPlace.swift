package import Platform

/// A place in a sound that is asked for in milliseconds.
package enum SoundPlace {
  /// The place in samples per channel at the sound's own rate.
  ///
  /// - Parameter count: samples per channel that the sound has; nil where only its end will tell.
  /// - Throws: `.invalidArgument` for a place that the sound does not have.
  package static func position(milliseconds: Int, sampleRate: Int, count: Int?, of what: String) throws(EngineError)
    -> Int
  {
    let (product, overflows) = milliseconds.multipliedReportingOverflow(by: sampleRate)
    let position = product / 1_000
    guard milliseconds >= 0, !overflows, position <= count ?? position else {
      let length = count.map { "; it is \($0 * 1_000 / sampleRate) ms long" } ?? ""
      throw EngineError(.invalidArgument, "\(what) has no place at \(milliseconds) ms\(length)")
    }
    return position
  }
}
