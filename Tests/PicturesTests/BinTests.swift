import Foundation
import FrameObservers
import TestSupport
import Testing

@testable import Metering
@testable import Pictures

@Suite("bins of envelopes", .timeLimit(.minutes(10)))
struct BinTests {
  @Test(
    "the envelope of a waveform is that of a plain loop", arguments: [5, 99, 4_096, 50_001])
  func wave(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    // Each stretch of 700 leans to another side, so that signs, extremes and sums differ.
    let samples = (0..<count).map { Float.random(in: -0.3...0.4, using: &generator) + ($0 / 700 % 2 == 0 ? 0.5 : -0.4) }
    var envelope = Envelope<WaveBin>(capacity: 256)
    samples.withUnsafeBufferPointer { all in
      while envelope.count < count {
        let start = all.baseAddress! + envelope.count
        envelope.append(min(count - envelope.count, Int.random(in: 1...500, using: &generator))) {
          WaveBin(start + $0.lowerBound, count: $0.count)
        }
      }
    }
    for (index, cell) in envelope.cells.enumerated() {
      let start = index * envelope.unitsPerCell
      let part = samples[start..<min(count, start + envelope.unitsPerCell)]
      let low = try #require(part.min())
      let high = try #require(part.max())
      #expect(cell.minimum == low && cell.maximum == high && cell.peak == max(high, -low))
      let squares = part.reduce(0) { $0 + Double($1) * Double($1) }
      #expect(abs(cell.rootMeanSquare - (squares / Double(part.count)).squareRoot()) < 1e-5)
    }
  }

  @Test("a NaN sample counts as 0 at any index", arguments: [0, 3, 8, 15, 16])
  func noNumber(place: Int) {
    var samples = [Float](repeating: 0.5, count: 17)
    samples[place] = .nan
    let cell = WaveBin(samples, count: samples.count)
    #expect(cell.maximum == 0.5 && (cell.minimum == 0.5 || cell.minimum == 0))
    #expect(abs(cell.rootMeanSquare - (0.25 * 16 / 17).squareRoot()) < 1e-6)
  }

  @Test("merged levels are exact, and voice needs more than half of a bin")
  func level() {
    func cell(_ amplitude: Float, _ count: Int, voice: Bool) -> LevelBin {
      var level = FrameLevel()
      level.add([Float](repeating: amplitude, count: count), count: count)
      return LevelBin(level, samplesPerChannel: count, isVoice: voice)
    }
    var loud = cell(0.5, 100, voice: true)
    #expect(abs(loud.rmsDBFS + 6.0206) < 1e-3 && abs(loud.peakDBFS + 6.0206) < 1e-3 && loud.isVoice)
    loud.merge(cell(0, 100, voice: false))
    #expect(abs(loud.rmsDBFS + 9.0309) < 1e-3 && abs(loud.peakDBFS + 6.0206) < 1e-3 && !loud.isVoice)
    loud.merge(cell(0, 1, voice: true))
    #expect(loud.isVoice)
    let silence = cell(0, 10, voice: false)
    #expect(silence.rmsDBFS == -.infinity && silence.peakDBFS == -.infinity)
  }

  @Test("merged pitch rows keep ends, extremes, mean and spread of voiced rows")
  func pitch() throws {
    let rows: [Float] = [0, 100, 400, 0, 200, 0, 0, 100]
    var cells = rows.map { PitchBin(hertz: $0) }
    // In pairs, as an envelope does.
    while cells.count > 1 {
      cells = stride(from: 0, to: cells.count, by: 2).map { index in
        var cell = cells[index]
        cell.merge(cells[index + 1])
        return cell
      }
    }
    let cell = cells[0]
    #expect(cell.rowCount == 8 && cell.voicedCount == 4 && !cell.beginsVoiced && cell.endsVoiced)
    #expect(cell.first == 100 && cell.last == 100 && cell.lowest == 100 && cell.highest == 400)
    let (hertz, spread) = try #require(cell.center)
    // Octaves above 100 Hz: 0, 2, 1, 0. Mean 3/4, variance 11/16.
    #expect(abs(hertz - 100 * pow(2, 0.75)) < 0.01 && abs(spread - pow(2, (11.0 / 16).squareRoot())) < 1e-4)
    #expect(PitchBin(hertz: 0).center == nil)
  }
}
