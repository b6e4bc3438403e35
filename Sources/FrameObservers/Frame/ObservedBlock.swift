import AudioGraph

/// The audio of one call, as a node prepares it for an observer. Plain memory that the node owns.
struct ObservedBlock: BitwiseCopyable {
  var header: FrameHeader
  var sampleRate: Int
  var channelCount: Int
  /// Interleaved samples; nil if `native` has them.
  var interleaved: UnsafeMutablePointer<Float>?
  /// The pipeline's own frame; nil if the samples were converted.
  var native: Frame?
  /// Memory for samplesPerChannel x channelCount samples of 16 bits.
  let scratch: UnsafeMutablePointer<Int16>
  /// Whether written samples flow on.
  let isWritable: Bool
  /// Whether `scratch` holds the samples.
  var isConverted = false
  /// Whether the observer may have written to `scratch`.
  var isInt16Touched = false
  /// Whether the observer may have written to the pipeline's planes.
  var arePlanesTouched = false
  /// Whether the observer has requested silence.
  var isMuted = false

  var sampleCount: Int { header.samplesPerChannel &* channelCount }

  /// Returns the samples as 16 bits, converted at the first call.
  mutating func int16Samples() -> UnsafeMutablePointer<Int16> {
    if !isConverted {
      convert(into: scratch)
      isConverted = true
    }
    return scratch
  }

  @_noLocks
  func convert(into target: UnsafeMutablePointer<Int16>) {
    if let interleaved {
      SampleConversion.toInt16(interleaved, target, count: header.samplesPerChannel &* channelCount)
    } else if let native {
      Interleaving.interleave(native, target)
    }
  }
}
