/// Clock of a simulated device: steady, apart from stalls.
///
/// Position 0 is at the start; times are nanoseconds of the virtual clock.
struct DeviceTimeline {
  private let start: Int
  /// Samples per nanosecond of the virtual clock.
  private let rate: Double
  /// Stalls, in order.
  private var stalls: [Range<Int>] = []

  init(start: Int, sampleRate: Int, skewPartsPerMillion: Double) {
    self.start = start
    rate = Double(sampleRate) * 1e-9 * (1 + skewPartsPerMillion * 1e-6)
  }

  mutating func add(_ stall: Range<Int>) { stalls.append(stall) }

  /// Samples that have passed the converter at a time.
  func position(at time: Int) -> Int { Int((Double(running(at: time)) * rate).rounded(.down)) }

  /// First time at which a position has been reached.
  func time(ofPosition position: Int) -> Int {
    var time = start + Int((Double(position) / rate).rounded(.up))
    for stall in stalls where stall.lowerBound < time { time += stall.count }
    return time
  }

  /// Nanoseconds in which the device has moved.
  private func running(at time: Int) -> Int {
    stalls.reduce(max(0, time - start)) { total, stall in
      total - max(0, min(time, stall.upperBound) - max(start, stall.lowerBound))
    }
  }
}
