public import AudioGraph
import Resampling

/// Lets a program pull the pipeline's frames, in any legal format, from any thread.
///
///     audio thread   node ──ring──▶ [channels, rate] ── pull ──▶ program
///
/// The graph's delay is left out. The first pulled sample is the first of the stream, and the last one is the last of
/// its longest source. When the pipeline has finished, the samples that the converter still holds follow, then
/// `isExhausted`. Live, frames that are not pulled in time are dropped, oldest
/// first, and counted; the sound on both sides is crossfaded over 5 ms. An offline pipeline
/// waits for the program instead.
///
/// ```swift
/// let pipeline = try AudioPipeline()
/// let sink = try pipeline.addSink(.pull(AudioFormat(sampleRate: 16_000, channelCount: 1)))
/// try pipeline.start()
/// var samples = [Int16](repeating: 0, count: 1_600)
/// var span = samples.mutableSpan
/// let count = sink.pull(into: &span)
/// print("\(count) samples are there")
/// pipeline.stop()
/// ```
public final class PullSink: AudioSink {
  public let node: any AudioNode
  /// Format of the pulled samples.
  public let format: AudioFormat
  private let sink: FrameSinkNode
  private let ring: FrameRing
  private let output: Guarded<PullOutput>

  /// - Parameters:
  ///   - format: Format of the pulled samples.
  ///   - native: Format of the frames that will come.
  ///   - isOffline: Whether a full ring keeps ticks waiting.
  ///   - capacity: Number of frames that may wait.
  ///   - endPosition: End of the longest source; nil while it is unknown.
  ///   - onRelease: Rung when a frame has been taken.
  init(
    _ format: AudioFormat, from native: AudioFormat, isOffline: Bool, capacity: Int,
    endPosition: @escaping @Sendable () -> Int?,
    onRelease: Doorbell
  ) throws(EngineError) {
    guard FrameRing.capacities.contains(capacity) else {
      throw EngineError(
        .invalidArgument,
        "a pull sink cannot hold \(capacity) frames; use 1 to \(FrameRing.capacities.upperBound)")
    }
    self.format = format
    do {
      ring = FrameRing(
        capacity: capacity, format: native, policy: isOffline ? .dropNewest : .dropOldest)
      sink = FrameSinkNode(writing: ring.takeProducer(), channelCount: native.channelCount)
      node = sink
      output = Guarded(
        PullOutput(
          try PullOutput.converter(from: native, to: format), ring, sampleRate: native.sampleRate, end: endPosition,
          onRelease: onRelease))
    } catch {
      throw EngineError(.invalidArgument, "\(format) cannot be pulled: \(error)", cause: error)
    }
  }

  /// Fills interleaved 16-bit samples with the available samples. Thread: any; one call at a time proceeds.
  ///
  /// - Returns: Samples per channel written; fewer than requested if no more have been rendered yet.
  public func pull(into samples: inout MutableSpan<Int16>) -> Int {
    let wanted = samples.count / format.channelCount
    var given = 0
    output.withLock { output in
      while given < wanted, output.refill() {
        let count = output.take(upTo: wanted - given)
        for index in 0..<(count * format.channelCount) {
          samples[given * format.channelCount + index] = SampleConversion.int16(output.taken[index])
        }
        given += count
      }
    }
    return given
  }

  /// Fills interleaved Float32 samples with the available samples. Thread: any; one call at a time proceeds.
  ///
  /// - Returns: Samples per channel written; fewer than requested if no more have been rendered yet.
  public func pull(into samples: inout MutableSpan<Float>) -> Int {
    let wanted = samples.count / format.channelCount
    var given = 0
    output.withLock { output in
      while given < wanted, output.refill() {
        let count = output.take(upTo: wanted - given)
        for index in 0..<(count * format.channelCount) {
          samples[given * format.channelCount + index] = output.taken[index]
        }
        given += count
      }
    }
    return given
  }

  /// Number of frames lost because they were not pulled in time. Thread: any.
  public var droppedFrameCount: Int { ring.droppedCount }

  /// Whether the pipeline has finished and every sample has been pulled. Thread: any.
  public var isExhausted: Bool {
    output.withLock { output in !output.refill() && output.isFinished }
  }

  public var isReady: Bool { sink.freeCount > 0 }
  public func requestCapacity() {}
  public func endOfStream() { sink.finish() }
}
