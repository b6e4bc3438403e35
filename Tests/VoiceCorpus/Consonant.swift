import Glibc

/// A voiced consonant within a stretch of voice.
struct Consonant {
  /// What the closure does to the voice's level.
  let decibels: Double
  /// Level of the hiss that comes with it.
  let hiss: Double
  private let start: Double
  private let end: Double

  /// None where the stretch is short, and in every second one that is not.
  init(within milliseconds: Int, _ random: inout CorpusRandom) {
    let length = random.uniform(40, 80)
    let place = random.uniform(0.35, 0.65)
    let isHum = random.uniform(0, 1) < 0.5
    let strength = isHum ? random.uniform(-20, -12) : random.uniform(-10, -4)
    guard milliseconds > 250, random.uniform(0, 1) < 0.5 else {
      (decibels, hiss, start, end) = (0, 0, .infinity, .infinity)
      return
    }
    decibels = strength
    hiss = isHum ? 0 : random.uniform(0.004, 0.02)
    start = Double(milliseconds) * place - length / 2
    end = start + length
  }

  /// How far the mouth is closed, from 0 to 1, within 10 ms.
  func closure(at milliseconds: Double) -> Double {
    guard milliseconds > start - 10, milliseconds < end + 10 else { return 0 }
    let into = min(1, (milliseconds - start + 10) / 10)
    let outOf = min(1, (end + 10 - milliseconds) / 10)
    return min(into, outOf)
  }
}
