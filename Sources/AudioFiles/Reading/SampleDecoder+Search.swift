extension SampleDecoder {
  /// Returns the index of the first sample of any channel that is NaN or infinite, by decoding them one by one.
  static func firstNonFinite(
    _ bytes: UnsafeRawPointer, as sampleFormat: SampleFormat, channelCount: Int, count: Int
  ) -> Int? {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: channelCount + slack) { values in
      (0..<count).first { index in
        decode(
          bytes + index * channelCount * sampleFormat.bytesPerSample, as: sampleFormat, channelCount: channelCount,
          count: 1, into: values.baseAddress!, stride: 1) > 0
      }
    }
  }
}
