import Effects
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TruePeakTrackTests {
  private func truePeak(_ channels: [[Float]], parts: [Int] = [Int.max]) -> Double? {
    let track = TruePeakTrack(channelCount: channels.count)
    let count = channels[0].count
    channels.flatMap { $0 }.withUnsafeBufferPointer { samples in
      var (position, index) = (0, 0)
      while position < count {
        let part = min(parts[index % parts.count], count - position)
        track.add(samples.baseAddress! + position, stride: count, count: part)
        position += part
        index += 1
      }
    }
    return track.finish()?.value
  }

  @Test(
    "a sine's peak between its samples is right within -0.08 and +0.2 dB",
    arguments: [0.01, 0.1, 0.25, 0.37, 0.42])
  func sine(frequency: Double) throws {
    let sine = Signals.sine(count: 9_600, cyclesPerSample: frequency, amplitude: 0.5, phase: .pi / 4)
    let faded = sine.indices.map { sine[$0] * Float(min(1, Double($0) / 1_000, Double(9_599 - $0) / 1_000)) }
    let silence = [Float](repeating: 0, count: 9_600)
    let peak = try #require(truePeak([silence, faded]))
    #expect((-0.08...0.2).contains(peak - 20 * log10(0.5)), "\(peak) dBTP")
  }

  @Test("a peak is found at every place, however the sound is divided", arguments: [1, 40, 3_000])
  func places(count: Int) throws {
    for place in Set([0, count / 3, count / 2, count - 1]) {
      var samples = [Float](repeating: 0.01, count: count)
      samples[place] = 0.7
      let whole = try #require(truePeak([samples]))
      #expect(whole >= 20 * log10(0.7) - 1e-5, "\(place) of \(count)")
      for parts in [[1], [7, 1_000, 3], [480]] { #expect(truePeak([samples], parts: parts) == whole) }
    }
  }

  @Test("silence and no sound have no peak")
  func silence() {
    #expect(truePeak([[Float](repeating: 0, count: 5_000)]) == nil && TruePeakTrack(channelCount: 2).finish() == nil)
  }
}
