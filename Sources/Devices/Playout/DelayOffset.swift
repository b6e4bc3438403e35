/// The samples between a device's buffer and its converter: the part of the reported delay that stays.
///
/// A sound server takes whole periods out of the buffer, and interpolates the delay. So the delay has the finer clock,
/// and only its constant part comes from the buffer: at the moment behind a period, when the buffer holds the least.
/// The wake-ups hold their phase to the server's for minutes. So those of a start move through all phases, and only
/// then the device takes sound: a moment that came later would move the position by a period.
struct DelayOffset {
  /// Wake-ups of a start, in which the phase moves through a period twice.
  private static let startCount = 32
  /// Steps of a period by which the phase moves.
  static let phaseCount = 16

  /// Largest excess of the delay over the content of the buffer; nil before the first status.
  private(set) var value: Int?
  /// Wake-ups of the start that are left.
  private var left: Int

  /// Begins a start.
  init(isServer: Bool) { left = isServer ? Self.startCount : 0 }

  /// Whether the start is not over.
  var isStarting: Bool { left > 0 }

  /// Takes the progress of a device. Some servers stall for a second or two at first, and report no delay.
  ///
  /// - Parameters:
  ///   - delay: Delay that the device reports, in samples.
  ///   - fill: Samples in the buffer.
  ///   - rate: Samples per second.
  ///   - hasMoved: Whether the device has moved since the wake-up before.
  mutating func observe(delay: Int, fill: Int, rate: Int, hasMoved: Bool) {
    let present = delay - fill
    guard isStarting else {
      if value.map({ abs(present - $0) >= rate / 50 }) ?? true { value = present }
      return
    }
    // Servers report no delay at first.
    guard hasMoved, delay > fill / 2 else { return }
    left -= 1
    value = max(value ?? present, present)
  }
}
