import AudioGraph
import Resampling
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PhaseCounterTests {
  static let rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

  @Test("10 hours of frames give floor(in x out / in rate) after every frame", arguments: rates)
  func tenHours(inputRate: Int) {
    let schedule = FrameSchedule(sampleRate: inputRate)
    // A schedule repeats every 100 frames.
    let counts = (0..<100).map { schedule.samplesPerChannel(ofFrame: $0) }
    for outputRate in Self.rates {
      var counter = PhaseCounter(from: inputRate, to: outputRate)
      var (taken, given, wrong) = (0, 0, 0)
      for second in 0..<36_000 {
        for count in counts {
          taken &+= count
          given &+= counter.outputCount(forInput: count)
          if given != taken &* outputRate / inputRate { wrong &+= 1 }
        }
        if wrong > 0 { Issue.record("\(inputRate) to \(outputRate) Hz: wrong in second \(second)"); break }
      }
      #expect(taken == 36_000 * inputRate && given == 36_000 * outputRate)
      #expect(counter.inputTotal == taken && counter.outputTotal == given)
    }
  }

  @Test("any chunks give the closed form, whatever the rates", arguments: [1, 2, 3] as [UInt64])
  func anyChunks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let (from, to) = (
        Int.random(in: 8_000...192_000, using: &random), Int.random(in: 8_000...192_000, using: &random)
      )
      var counter = PhaseCounter(from: from, to: to)
      var (taken, given) = (0, 0)
      for _ in 0..<100 {
        let count = Int.random(in: 0...5_000, using: &random)
        let due = counter.outputCount(forInput: count)
        #expect(due <= counter.maximumOutputCount(forInput: count), "seed \(seed)")
        taken += count
        given += due
        #expect(given == taken * to / from, "seed \(seed), \(from) to \(to) Hz")
      }
    }
  }

  @Test("a hundred years in long calls neither overflow nor lose a sample")
  func centuries() {
    var counter = PhaseCounter(from: 44_100, to: 192_000)
    let day = 44_100 * 86_400
    var exact = true
    for days in 1...36_525 {
      _ = counter.outputCount(forInput: day)
      exact = exact && counter.outputTotal == days * 192_000 * 86_400
    }
    #expect(exact)
  }

  @Test("a reset counter counts from the beginning")
  func reset() {
    var counter = PhaseCounter(from: 11_025, to: 48_000)
    let first = (0..<10).map { _ in counter.outputCount(forInput: 110) }
    counter.reset()
    #expect(counter.inputTotal == 0 && counter.outputTotal == 0)
    #expect((0..<10).map { _ in counter.outputCount(forInput: 110) } == first)
  }
}
