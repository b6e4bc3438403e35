import TestSupport
import Testing

@testable import Pictures

/// Which units a cell sums up; merging others than the next ones is a mistake.
private struct Span: EnvelopeBin, Equatable {
  var units: Range<Int>

  mutating func merge(_ next: Span) {
    #expect(units.upperBound == next.units.lowerBound)
    units = units.lowerBound..<next.units.upperBound
  }
}

@Suite("Envelope", .timeLimit(.minutes(10)))
struct EnvelopeTests {
  @Test(
    "cells of one length tile the samples, in pieces of any size", .shows("pictures: memory"),
    arguments: [2, 4, 10, 64], [0, 1, 2, 9, 63, 64, 65, 1_000, 4_097])
  func tiles(capacity: Int, count: Int) {
    var generator = SeededGenerator(seed: UInt64(capacity * 10_000 + count))
    var envelope = Envelope<Span>(capacity: capacity)
    while envelope.count < count {
      let start = envelope.count
      let piece = min(count - start, Int.random(in: 1...40, using: &generator))
      envelope.append(piece) { Span(units: start + $0.lowerBound..<start + $0.upperBound) }
    }
    #expect(envelope.count == count && envelope.cells.count <= capacity)
    for (index, cell) in envelope.cells.enumerated() {
      let start = index * envelope.unitsPerCell
      #expect(cell.units == start..<min(count, start + envelope.unitsPerCell))
    }
    // As fine as the capacity allows.
    #expect(envelope.unitsPerCell == 1 || 2 * envelope.cells.count >= capacity)
  }

  @Test(
    "Ten hours of 192 kHz take no more cells than a minute", .shows("pictures: memory"), arguments: [48_000, 192_000])
  func tenHours(rate: Int) {
    var envelope = Envelope<Span>(capacity: SoundSeries.capacity)
    for minute in 0..<600 {
      let start = minute * 60 * rate
      envelope.append(60 * rate) { Span(units: start + $0.lowerBound..<start + $0.upperBound) }
      #expect(envelope.cells.count <= SoundSeries.capacity)
    }
    #expect(envelope.count == 36_000 * rate && envelope.cells.count >= SoundSeries.capacity / 2)
    #expect(envelope.cells.last?.units.upperBound == envelope.count)
    #expect(envelope.columns(atMost: 1_000).count == 1_000)
  }

  @Test("a sound's series begins with fine cells and does not grow further")
  func soundSeries() {
    var series = SoundSeries(sampleRate: 22_050, channelCount: 2)
    let minute = [Float](repeating: 0.25, count: 22_050 * 60)
    minute.withUnsafeBufferPointer { samples in
      let planes = [samples.baseAddress!, samples.baseAddress!]
      series.append(planes, count: 100, isVoice: true)
      #expect(series.waves[1].cells.count == 100 && series.waves[1].unitsPerCell == 1)
      #expect(series.levels.cells.count == 1 && series.levels.unitsPerCell == 220)
      series.append(planes, count: samples.count - 100, isVoice: true)
      let sizes = series.waves.map(\.cells.count) + [series.levels.cells.count]
      for _ in 0..<9 { series.append(planes, count: samples.count, isVoice: true) }
      #expect(sizes.allSatisfy { $0 <= SoundSeries.capacity })
      #expect((series.waves.map(\.cells.count) + [series.levels.cells.count]).allSatisfy { $0 <= SoundSeries.capacity })
    }
    #expect(series.seconds == 600)
  }

  @Test("columns tile the cells, at most as many as requested", arguments: [1, 3, 64, 100, 999, 5_000])
  func columns(maximum: Int) {
    for count in [0, 1, 2, 50, 100, 777] {
      var envelope = Envelope<Span>(capacity: 100)
      for unit in 0..<count { envelope.append(Span(units: unit..<unit + 1)) }
      let columns = envelope.columns(atMost: maximum)
      #expect(columns.count == min(maximum, envelope.cells.count))
      #expect(columns.map(\.cell.units) == columns.map(\.units))
      #expect(zip(columns, columns.dropFirst()).allSatisfy { $0.units.upperBound == $1.units.lowerBound })
      #expect(columns.first?.units.lowerBound ?? 0 == 0 && columns.last?.units.upperBound ?? 0 == count)
    }
  }
}
