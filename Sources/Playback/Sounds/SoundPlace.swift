package import Platform

/// A position in a sound, given as a duration from its beginning.
package enum SoundPlace {
  /// Returns the position in samples per channel at the sound's own rate.
  ///
  /// - Parameters:
  ///   - place: duration from the beginning of the sound.
  ///   - sampleRate: the sound's own rate, in Hz.
  ///   - count: length of the sound in samples per channel; nil if unknown before its end.
  ///   - what: name of the sound in the error's message.
  /// - Returns: samples per channel from the beginning.
  /// - Throws: `.invalidArgument` for a position that the sound does not have.
  package static func position(
    of place: Duration, sampleRate: Int, count: Int?, in what: String
  ) throws(EngineError) -> Int {
    let (seconds, attoseconds) = place.components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
    // In microseconds: their product with any rate fits.
    let rest = attoseconds / 1_000_000_000_000 * Int64(sampleRate) / 1_000_000
    let (position, isTooLarge) = product.addingReportingOverflow(rest)
    guard place >= .zero, !overflows, !isTooLarge, Int(position) <= count ?? .max else {
      let length = count.map { "; it is \($0 * 1_000 / sampleRate) ms long" } ?? ""
      throw EngineError(.invalidArgument, "\(what) has no place at \(place)\(length)")
    }
    return Int(position)
  }
}
