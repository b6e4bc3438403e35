package import Platform

/// A place in a sound, asked for as a duration from its beginning.
package enum SoundPlace {
  /// The place in samples per channel at the sound's own rate.
  ///
  /// - Parameter count: samples per channel that the sound has; nil where only its end will tell.
  /// - Throws: `.invalidArgument` for a place that the sound does not have.
  package static func position(
    of place: Duration, sampleRate: Int, count: Int?, in what: String
  ) throws(EngineError) -> Int {
    let (seconds, attoseconds) = place.components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
    // In microseconds, whose product with any rate fits.
    let rest = attoseconds / 1_000_000_000_000 * Int64(sampleRate) / 1_000_000
    let (position, isTooLarge) = product.addingReportingOverflow(rest)
    guard place >= .zero, !overflows, !isTooLarge, Int(position) <= count ?? .max else {
      let length = count.map { "; it is \($0 * 1_000 / sampleRate) ms long" } ?? ""
      throw EngineError(.invalidArgument, "\(what) has no place at \(place)\(length)")
    }
    return Int(position)
  }
}
