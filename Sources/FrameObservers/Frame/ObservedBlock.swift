import AudioGraph

/// One call's worth of audio, as a node prepares it for an observer. Plain memory that the node owns.
struct ObservedBlock: BitwiseCopyable {
  var header: FrameHeader
  var sampleRate: Int
  var channelCount: Int
  /// The samples, interleaved; nil where `native` has them.
  var interleaved: UnsafeMutablePointer<Float>?
  /// The pipeline's own frame; nil where the samples were converted.
  var native: Frame?
  /// Room for samplesPerChannel x channelCount samples of 16 bits.
  let scratch: UnsafeMutablePointer<Int16>
  /// True where what is written flows on.
  let isWritable: Bool
  /// True once `scratch` holds the samples.
  var isConverted = false
  /// True once the observer may have written to `scratch`.
  var isInt16Touched = false
  /// True once the observer may have written to the pipeline's planes.
  var arePlanesTouched = false
  /// True once the observer has asked for silence.
  var isMuted = false

  var sampleCount: Int { header.samplesPerChannel &* channelCount }

  /// The samples as 16 bits, converted when they are first asked for.
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
