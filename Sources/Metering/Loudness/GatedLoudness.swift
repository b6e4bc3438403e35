import Glibc

/// Loudness of a whole sound: the mean energy of its windows of 400 ms that are not much quieter than the others.
///
/// Shape: the loudness of each 100 ms; a window ends with each of them. Energies are added up in steps of 0.01 LU, so
/// that the length of the sound costs no memory. Only the threshold is rounded to a step, not the energies.
/// Source: ITU-R BS.1770-4, section 2.8.
struct GatedLoudness {
  private static let partsPerWindow = 4
  private static let stepsPerUnit = 100.0
  /// Loudness in LUFS below which windows never count.
  private static let floor = -70.0
  private static let ceiling = 30.0
  /// Distance of the second threshold below the loudness of all windows above the floor, in LU.
  private static let relativeGate = 10.0

  /// Energies of the newest parts, as a ring.
  private var parts = [Double](repeating: 0, count: partsPerWindow)
  private var partCount = 0
  /// Sum of the energies in each step above the floor, and the number of windows.
  private var energies = [Double](repeating: 0, count: Int((ceiling - floor) * stepsPerUnit))
  private var counts = [Int](repeating: 0, count: Int((ceiling - floor) * stepsPerUnit))

  /// Takes the loudness of the next 100 ms, in LUFS.
  mutating func add(_ loudness: Double) {
    parts[partCount % Self.partsPerWindow] = pow(10, loudness / 10)
    partCount += 1
    guard partCount >= Self.partsPerWindow else { return }
    let energy = parts.reduce(0, +) / Double(Self.partsPerWindow)
    let step = Self.step(of: 10 * log10(energy))
    guard step >= 0 else { return }
    energies[min(step, counts.count - 1)] += energy
    counts[min(step, counts.count - 1)] += 1
  }

  /// Loudness in LUFS; nil without a window above the floor.
  var value: Double? {
    guard let loudness = mean(from: 0) else { return nil }
    return mean(from: min(max(0, Self.step(of: loudness - Self.relativeGate)), counts.count - 1))
  }

  /// Returns the loudness of the windows in the steps from `first` on; nil without any.
  private func mean(from first: Int) -> Double? {
    let count = counts[first...].reduce(0, +)
    return count > 0 ? 10 * log10(energies[first...].reduce(0, +) / Double(count)) : nil
  }

  /// Returns the step of a loudness; negative below the floor, including silence.
  private static func step(of loudness: Double) -> Int {
    Int(((max(loudness, floor - 1) - floor) * stepsPerUnit).rounded(.down))
  }
}
