import LockFree
import Synchronization

/// Brings interleaved samples from another thread into the graph, through a ring without frames.
///
/// Each tick takes exactly the samples that its frame holds. If the ring holds fewer, the sound fades out over 5 ms
/// behind its last sample, and the rest is silence; the sound after it fades in over 5 ms. Missing samples are counted
/// unless the producer has finished: then the sound ends with its last sample, unchanged.
public final class SampleSourceNode: AudioNode {
  public let inputs: [InputPort] = []
  public let outputs: [OutputPort]
  private let state: RenderState<SampleSourceState>
  private let progress = RenderState(SampleSourceProgress())

  /// Creates a node that reads `samples`, channel after channel, at the graph's rate.
  ///
  /// - Parameters:
  ///   - samples: Reading half of the ring.
  ///   - channelCount: Channels of the samples.
  ///   - sampleRate: The graph's rate, in Hz.
  ///   - sourceID: Source that frames name.
  public init(
    reading samples: consuming RingConsumer<Float>, channelCount: Int, sampleRate: Int, sourceID: UInt32 = 0
  ) {
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(
      SampleSourceState(
        samples: samples, channelCount: channelCount, sampleRate: sampleRate, progress: progress.pointer,
        sourceID: sourceID))
  }

  public var renderer: Renderer { Renderer(renderSampleSource, state) }

  /// Samples of all channels that wait in the ring. Thread: audio, between ticks.
  public var sampleCount: Int { state.pointer.pointee.samples.readableCount }

  /// Whether the producer has finished and no sample waits. Thread: audio, between ticks.
  public var isExhausted: Bool { isFinished && sampleCount == 0 }

  /// Whether the producer has finished. Thread: audio, between ticks.
  public var isFinished: Bool { state.pointer.pointee.samples.isFinished }

  /// Samples per channel that were missing and became silence. Thread: any.
  public var underrunCount: Int { progress.pointer.pointee.missing.load(ordering: .relaxed) }

  /// Samples per channel taken out of the ring, played or discarded. Thread: any.
  public var takenCount: Int { progress.pointer.pointee.taken.load(ordering: .acquiring) }

  /// Samples per channel taken out of the ring when the newest `discard` had faded out. Thread: any.
  public var discardPosition: Int { progress.pointer.pointee.discardedFrom.load(ordering: .relaxed) }

  /// Position up to which the newest `discard` has discarded samples. Thread: any.
  public var discardEnd: Int { progress.pointer.pointee.discardedTo.load(ordering: .acquiring) }

  /// Samples per channel of the output that did not come from the ring, less those discarded. Thread: any.
  public var insertedCount: Int { progress.pointer.pointee.inserted.load(ordering: .relaxed) }

  /// Whether a `discard` waits for the next tick. Thread: any.
  public var isDiscarding: Bool {
    progress.pointer.pointee.discardTarget.load(ordering: .relaxed) > takenCount
  }

  /// Fades out at the next tick, and discards the samples up to a position. Thread: any but audio.
  ///
  /// - Parameter position: Samples per channel written to the ring so far, all of them before the call.
  public func discard(upTo position: Int) {
    progress.pointer.pointee.discardTarget.store(position, ordering: .releasing)
  }
}

@_noLocks
private func renderSampleSource(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: SampleSourceState.self).pointee.render(RenderContext(context))
}
