import NetworkSimulation
import Testing

@Suite(.timeLimit(.minutes(10))) struct DriftingClockTests {
  @Test("a day at 300 ppm is 25.92 s more or less", arguments: [300.0, -300])
  func day(drift: Double) throws {
    let clock = try DriftingClock(partsPerMillion: drift)
    let day = 86_400_000_000_000
    #expect(clock.localNanoseconds(at: day) == day + Int(drift / 300) * 25_920_000_000)
  }

  @Test("a sender's packets come at its own rate", arguments: [0.0, 300, -300, 0.001, 100_000, -100_000])
  func senderTimes(drift: Double) throws {
    let clock = try DriftingClock(partsPerMillion: drift)
    for packet in [0, 1, 2, 50, 4_320_000, 4_320_000 * 365] {
      let moment = clock.simulationNanoseconds(atLocal: packet * 20_000_000)
      // The first moment at which the clock shows it.
      #expect(clock.localNanoseconds(at: moment) >= packet * 20_000_000)
      #expect(clock.localNanoseconds(at: moment - 1) < packet * 20_000_000)
    }
  }

  @Test("a clock that is off by more than any clock is refused", arguments: [100_001.0, -100_001, .nan, .infinity])
  func range(drift: Double) {
    #expect(throws: NetworkConditionsError.self) { try DriftingClock(partsPerMillion: drift) }
  }
}
