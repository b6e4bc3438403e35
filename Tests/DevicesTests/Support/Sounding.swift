/// Where a tone is there, and where it is not.
enum Sounding {
  /// Samples of one block, in which a tone reaches its peak.
  static let blockCount = 240

  /// Returns the spans without a tone of this level, as times of blocks' beginnings.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - level: Peak of the tone.
  ///   - time: Time of a sample, in seconds.
  static func gaps(_ samples: [Float], level: Float, time: (Int) -> Double) -> [Range<Double>] {
    var gaps: [Range<Double>] = []
    var begin: Double?
    for start in stride(from: 0, to: samples.count - blockCount, by: blockCount) {
      let peak = samples[start..<start + blockCount].reduce(Float(0)) { max($0, abs($1)) }
      if peak < 0.9 * level {
        begin = begin ?? time(start)
      } else if let first = begin {
        gaps.append(first..<time(start))
        begin = nil
      }
    }
    return gaps
  }
}
