#if canImport(Glibc)
  import Glibc
#endif

/// Interpolates a signal between its samples, band-limited: windowed sincs, in tables for a number of ratios.
///
/// Reading faster than the samples come folds frequencies above the new half rate back into the sound. So each table
/// cuts off below it, at most an eighth of an octave too low. A table has a row for each of `phaseCount` places between
/// two samples. Beside each row is the difference to the next row, for places in between.
///
/// Source: Smith, Digital Audio Resampling (2002). With Blackman's window, the folded frequencies are 74 dB down.
package struct SincBank: ~Copyable {
  /// Tables per octave above a ratio of 1.
  private static let tablesPerOctave = 8
  /// Frequency at which the first table has fallen by 6 dB, as a fraction of half the sample rate.
  private static let cutoff = 0.94

  /// Taps for one range of ratios.
  package struct Table: BitwiseCopyable {
    /// SIMD8 blocks of taps.
    @usableFromInline package let blockCount: Int
    @usableFromInline package let rows: UnsafePointer<Float>
    @usableFromInline let phaseShift: Int64
    @usableFromInline let fractionScale: Float

    /// Taps on either side of a position.
    @inlinable @inline(__always) package var half: Int { @_noLocks get { 4 &* blockCount } }

    /// Writes the `8 x blockCount` taps for a position. Reading at steps of one sample uses the same taps everywhere.
    @_noLocks
    package func write(_ taps: UnsafeMutablePointer<Float>, at position: Int64) {
      let fraction = position & 0xFFFF_FFFF
      let row = UnsafeRawPointer(rows) + 64 &* blockCount &* Int(truncatingIfNeeded: fraction &>> phaseShift)
      let rest = Float(fraction & ((1 &<< phaseShift) &- 1)) * fractionScale
      for block in 0..<blockCount {
        let tap = row.load(fromByteOffset: 64 &* block, as: SIMD8<Float>.self)
        let way = row.load(fromByteOffset: 64 &* block &+ 32, as: SIMD8<Float>.self)
        UnsafeMutableRawPointer(taps + 8 &* block).storeBytes(of: tap + way * rest, as: SIMD8<Float>.self)
      }
    }

    /// Returns the value at a position in samples, as 32.32 fixed point; reads `half` samples on either side of it.
    @_noLocks @inlinable @inline(__always)
    package func value(_ samples: UnsafePointer<Float>, at position: Int64) -> Float {
      let fraction = position & 0xFFFF_FFFF
      let row = UnsafeRawPointer(rows) + 64 &* blockCount &* Int(truncatingIfNeeded: fraction &>> phaseShift)
      let rest = Float(fraction & ((1 &<< phaseShift) &- 1)) * fractionScale
      let first = UnsafeRawPointer(samples + (Int(truncatingIfNeeded: position &>> 32) &- half &+ 1))
      var sum = SIMD8<Float>(repeating: 0)
      for block in 0..<blockCount {
        let taps = row.load(fromByteOffset: 64 &* block, as: SIMD8<Float>.self)
        let way = row.load(fromByteOffset: 64 &* block &+ 32, as: SIMD8<Float>.self)
        sum += first.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self) * (taps + way * rest)
      }
      return sum.total
    }
  }

  /// Largest number of taps on either side of a position.
  package let maximumHalf: Int
  private let tableCount = 9
  private let tables: UnsafeMutablePointer<Table>
  private let memory: UnsafeMutableRawPointer

  package init(tapCount: Int, phaseCount: Int) {
    precondition(phaseCount.nonzeroBitCount == 1, "phases are a power of two")
    tables = .allocate(capacity: tableCount)
    let blockCounts = (0..<tableCount).map { index in
      Int((Double(tapCount) * Self.ratio(index) / 8).rounded(.up))
    }
    let floats = blockCounts.reduce(0) { $0 + 16 * $1 * phaseCount }
    memory = .allocate(byteCount: floats * MemoryLayout<Float>.stride, alignment: 64)
    var rows = memory.bindMemory(to: Float.self, capacity: floats)
    for (index, blockCount) in blockCounts.enumerated() {
      let shift = 32 - Int64(phaseCount.trailingZeroBitCount)
      (tables + index).initialize(
        to: Table(
          blockCount: blockCount, rows: rows, phaseShift: shift, fractionScale: 1 / Float(Int64(1) << shift)))
      Self.fill(rows, blockCount: blockCount, phaseCount: phaseCount, cutoff: Self.cutoff / Self.ratio(index))
      rows += 16 * blockCount * phaseCount
    }
    maximumHalf = 4 * blockCounts.last!
  }

  deinit {
    tables.deallocate()
    memory.deallocate()
  }

  /// Returns the table for reading `ratio` samples at a step; between two tables, the one above.
  @_noLocks
  package func table(ratio: Double) -> Table {
    var index = 0
    while index < tableCount &- 1 && ratio > limits(index) { index = index &+ 1 }
    return tables[index]
  }

  /// Returns the largest ratio of a table: 2^(index / 8), as products of square roots, since no C function may be
  /// called.
  @_noLocks @inline(__always)
  private func limits(_ index: Int) -> Double {
    var limit = 1.0
    if index & 1 != 0 { limit *= 1.0905077326652577 }
    if index & 2 != 0 { limit *= 1.189207115002721 }
    if index & 4 != 0 { limit *= 1.4142135623730951 }
    if index & 8 != 0 { limit *= 2 }
    return limit
  }

  private static func ratio(_ index: Int) -> Double { exp2(Double(index) / Double(tablesPerOctave)) }

  private static func fill(
    _ rows: UnsafeMutablePointer<Float>, blockCount: Int, phaseCount: Int, cutoff: Double
  ) {
    let count = 8 * blockCount
    let kernels = (0...phaseCount).map { phase in
      kernel(count: count, fraction: Double(phase) / Double(phaseCount), cutoff: cutoff)
    }
    for phase in 0..<phaseCount {
      for tap in 0..<count {
        let place = rows + 16 * (phase * blockCount + tap / 8) + tap % 8
        place[0] = Float(kernels[phase][tap])
        place[8] = Float(kernels[phase + 1][tap] - kernels[phase][tap])
      }
    }
  }

  /// Returns the taps that read `fraction` of a sample behind the middle; their sum is 1.
  package static func kernel(count: Int, fraction: Double, cutoff: Double) -> [Double] {
    let taps = (0..<count).map { tap in
      let time = Double(tap - (count / 2 - 1)) - fraction
      let place = time / Double(count / 2)
      guard abs(place) < 1 else { return 0.0 }
      let sinc = time == 0 ? cutoff : sin(Double.pi * cutoff * time) / (Double.pi * time)
      let wave = cos(Double.pi * place)
      return sinc * (0.34 + 0.5 * wave + 0.16 * wave * wave)
    }
    let sum = taps.reduce(0, +)
    return taps.map { $0 / sum }
  }
}

extension SIMD8<Float> {
  /// The sum of the lanes.
  @inlinable @inline(__always) package var total: Float {
    @_noLocks get {
      let four = lowHalf + highHalf
      let two = four.lowHalf + four.highHalf
      return two[0] + two[1]
    }
  }
}
