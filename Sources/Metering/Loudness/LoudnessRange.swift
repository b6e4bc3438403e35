import Glibc

/// Variation of loudness: the span in which the short-term loudness lies most of the time.
///
/// Shape: the loudness of each 100 ms; a window of 3 s ends with each of them, three times the prescribed least number.
/// Windows are counted in steps of 0.01 LU, so that the length of the sound costs no memory.
/// Source: EBU Tech 3342.
struct LoudnessRange {
  private static let partsPerWindow = 30
  private static let stepsPerUnit = 100.0
  /// Loudness in LUFS below which windows never count.
  private static let floor = -70.0
  private static let ceiling = 30.0

  /// Energies of the newest parts, as a ring.
  private var parts = [Double](repeating: 0, count: partsPerWindow)
  private var partCount = 0
  /// Number of windows in each step above the floor.
  private var counts = [Int](repeating: 0, count: Int((ceiling - floor) * stepsPerUnit))
  private var windowCount = 0
  private var energySum = 0.0

  /// Takes the loudness of the next 100 ms, in LUFS.
  mutating func add(_ loudness: Double) {
    parts[partCount % Self.partsPerWindow] = pow(10, loudness / 10)
    partCount += 1
    guard partCount >= Self.partsPerWindow else { return }
    let energy = parts.reduce(0, +) / Double(Self.partsPerWindow)
    let step = min(Self.step(of: 10 * log10(energy)), counts.count - 1)
    guard step >= 0 else { return }
    counts[step] += 1
    windowCount += 1
    energySum += energy
  }

  /// Range in LU; nil without a full window above the floor.
  var value: Double? {
    guard windowCount > 0 else { return nil }
    // 20 LU below the loudness of the windows above the floor.
    let threshold = min(max(0, Self.step(of: 10 * log10(energySum / Double(windowCount)) - 20)), counts.count - 1)
    let heard = counts[threshold...]
    let total = heard.reduce(0, +)
    // The nearest rank, as in ffmpeg: in gliding levels, neighbors in rank are far apart. In a short sound, a
    // percentile taken between its first and its last window differs by up to 1 LU from it.
    func percentile(_ share: Double) -> Int {
      var left = max(1, Int((Double(total) * share).rounded()))
      return heard.indices.first { index in
        left -= heard[index]
        return left <= 0
      }!
    }
    return Double(percentile(0.95) - percentile(0.1)) / Self.stepsPerUnit
  }

  /// Returns the step of a loudness; negative below the floor, including silence.
  private static func step(of loudness: Double) -> Int {
    Int(((max(loudness, floor - 1) - floor) * stepsPerUnit).rounded(.down))
  }
}
