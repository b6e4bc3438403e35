import TestSupport
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10))) struct DeviceClockTests {
  @Test("exact pairs give the exact rate", .shows("devices: clocks"), arguments: [-300.0, 0, 42, 300])
  func exact(_ skew: Double) {
    var clock = DeviceClock(nominalRate: 48_000)
    for index in 0..<3_000 {
      clock.observe(position: 480 * Double(index) * (1 + skew * 1e-6), atNanoseconds: index * 10_000_000)
    }
    #expect(abs(clock.skew * 1e6 - skew) < 0.2)
    #expect(abs(clock.position(atNanoseconds: 40_000_000_000) - 40 * 48_000 * (1 + skew * 1e-6)) < 0.5)
  }

  @Test("a jump of the position is followed at once, and the rate survives", .shows("devices: clocks"))
  func jump() {
    var clock = DeviceClock(nominalRate: 48_000)
    for index in 0..<3_000 { clock.observe(position: 480.048 * Double(index), atNanoseconds: index * 10_000_000) }
    let before = clock.skew
    let end = 480.048 * 3_000 - 4_800
    let hasJumped = clock.observe(position: end, atNanoseconds: 30_000_000_000)
    #expect(hasJumped)
    #expect(clock.skew == before)
    #expect(clock.position(atNanoseconds: 30_000_000_000) == end)
  }

  @Test("a jump of 9 ms is believed when it has come three times", .shows("devices: clocks"))
  func smallJump() {
    var clock = DeviceClock(nominalRate: 48_000)
    for index in 0..<3_000 { clock.observe(position: 480 * Double(index), atNanoseconds: index * 10_000_000) }
    let jumps = (3_000..<3_003).map { clock.observe(position: 480 * Double($0) - 420, atNanoseconds: $0 * 10_000_000) }
    #expect(jumps == [false, false, true])
  }

  @Test("one wrong pair moves the estimate by less than 10 µs", .shows("devices: clocks"))
  func outlier() {
    var clock = DeviceClock(nominalRate: 48_000)
    for index in 0..<3_000 { clock.observe(position: 480 * Double(index), atNanoseconds: index * 10_000_000) }
    clock.observe(position: 480 * 3_000 - 600, atNanoseconds: 30_000_000_000)
    #expect(abs(clock.position(atNanoseconds: 30_000_000_000) - 480 * 3_000) < 0.48)
  }

  @Test("a rate that changes is followed within ten minutes", .shows("devices: clocks"))
  func warming() {
    var clock = DeviceClock(nominalRate: 48_000)
    var position = 0.0
    for index in 0..<90_000 {
      position += 480 * (1 + (index < 30_000 ? 20e-6 : 25e-6))
      clock.observe(position: position, atNanoseconds: (index + 1) * 10_000_000)
    }
    #expect(abs(clock.skew * 1e6 - 25) < 2)
  }
}
