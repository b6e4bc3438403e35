package import AudioGraph
package import Resampling

/// Reads a file as planes of samples at the graph's rate, whatever rate the file has.
///
/// Thread: one at a time, never the audio thread.
package final class ConvertingReader {
  private static let blockCount = 32_768
  private let reader: any PlaneReader
  private let channelCount: Int
  private var conversion: Conversion?
  /// Samples per channel that have been read, at the file's rate.
  package private(set) var inputCount = 0
  /// Samples per channel that have been given, at the graph's rate.
  package private(set) var outputCount = 0
  private let sampleRate: Int

  /// Buffers that only a file at another rate needs.
  private final class Conversion {
    var converter: FileRateConverter
    let planes: UnsafeMutablePointer<Float>
    let interleaved: UnsafeMutablePointer<Float>
    let converted: UnsafeMutablePointer<Float>
    let capacity: Int
    var begin = 0
    var end = 0
    var isFlushing = false

    init(from inputRate: Int, to outputRate: Int, channelCount: Int, roundsUp: Bool) throws(ResamplingError) {
      converter = try FileRateConverter(
        from: inputRate, to: outputRate, channelCount: channelCount, roundsUp: roundsUp)
      capacity = ConvertingReader.blockCount * outputRate / inputRate + 1
      planes = .allocate(capacity: ConvertingReader.blockCount * channelCount)
      interleaved = .allocate(capacity: ConvertingReader.blockCount * channelCount)
      converted = .allocate(capacity: capacity * channelCount)
    }

    deinit {
      planes.deallocate()
      interleaved.deallocate()
      converted.deallocate()
    }
  }

  package init(_ reader: any PlaneReader, sampleRate: Int, roundsUp: Bool = false) throws(ResamplingError) {
    self.reader = reader
    self.sampleRate = sampleRate
    channelCount = reader.format.channelCount
    if reader.format.sampleRate != sampleRate {
      conversion = try Conversion(
        from: reader.format.sampleRate, to: sampleRate, channelCount: channelCount, roundsUp: roundsUp)
    }
  }

  /// Ends a wait for a pipe. Thread: any.
  package func cancel() { reader.cancel() }

  /// Fills up to `count` samples of each channel into planes that begin `stride` samples apart.
  ///
  /// - Parameters:
  ///   - base: First sample of the first plane.
  ///   - stride: Samples from one plane to the next.
  ///   - count: Samples per channel to read.
  ///   - filled: Samples per channel that were read, also if an error ends the read; fewer than `count` only at the
  ///     end.
  package func read(into base: UnsafeMutablePointer<Float>, stride: Int, count: Int, filled: inout Int)
    throws(AudioFileError)
  {
    filled = 0
    while filled < count {
      let got = try readSome(into: base + filled, stride: stride, count: count - filled)
      if got == 0 { break }
      filled += got
    }
  }

  /// Does the work that the next `readSome` needs, so that the underlying reader is as far as that call takes it.
  package func prepare() throws(AudioFileError) {
    guard let conversion else { return }
    while conversion.begin == conversion.end {
      if conversion.isFlushing {
        guard flush() else { return }
      } else {
        try convertBlock()
      }
    }
  }

  /// Fills up to `count` samples of each channel from one step, into planes that begin `stride` samples apart.
  ///
  /// - Returns: Samples per channel; 0 if the underlying reader gives none.
  package func readSome(into base: UnsafeMutablePointer<Float>, stride: Int, count: Int) throws(AudioFileError) -> Int {
    guard conversion != nil else {
      let got = try reader.read(into: base, stride: stride, maximumCount: count)
      inputCount += got
      outputCount += got
      return got
    }
    try prepare()
    let available = min(count, conversion!.end - conversion!.begin)
    let from = conversion!.converted + conversion!.begin * channelCount
    for channel in 0..<channelCount {
      let plane = base + channel * stride
      for index in 0..<available { plane[index] = from[index * channelCount + channel] }
    }
    conversion!.begin += available
    outputCount += available
    return available
  }

  /// Returns the ledger of the file's samples. It takes converted samples that were never read out to count them, so it
  /// is the last call.
  package func edge(named name: String) -> LedgerEdge {
    var ledger = Ledger()
    ledger.input = inputCount
    ledger.output = outputCount
    if let conversion {
      ledger.held = conversion.end - conversion.begin
      while flush() { ledger.held += conversion.end }
      ledger.inserted[.rounding] = conversion.converter.roundedUpCount
    }
    return LedgerEdge(name, from: reader.format.sampleRate, to: sampleRate, ledger)
  }

  private func convertBlock() throws(AudioFileError) {
    let planes = conversion!.planes
    let got = try reader.read(into: planes, stride: Self.blockCount, maximumCount: Self.blockCount)
    if got == 0 {
      conversion!.isFlushing = true
      return
    }
    inputCount += got
    let interleaved = conversion!.interleaved
    for channel in 0..<channelCount {
      let plane = planes + channel * Self.blockCount
      for index in 0..<got { interleaved[index * channelCount + channel] = plane[index] }
    }
    conversion!.begin = 0
    conversion!.end = conversion!.converter.process(
      interleaved, inputCount: got, into: conversion!.converted, capacity: conversion!.capacity)
  }

  private func flush() -> Bool {
    conversion!.begin = 0
    conversion!.end = conversion!.converter.finish(into: conversion!.converted, capacity: conversion!.capacity)
    return conversion!.end > 0
  }
}
