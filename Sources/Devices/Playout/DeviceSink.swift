public import AudioGraph
import Resampling

/// Frames to a loudspeaker or headphones.
///
///     audio thread    node ──▶ converter that follows both clocks ──▶ ring
///     device thread   ring ──▶ device; clock estimate
///
/// The device runs by its own clock, which the conversion follows, slowly and inaudibly. While the device is gone, the
/// default one takes its place, or the sound is dropped.
///
/// ```swift
/// let pipeline = try AudioPipeline()
/// try pipeline.addSpeaker(1, from: .file("talk.wav"))
/// let loudspeaker = try pipeline.addSink(.device(), at: .playout)
/// try pipeline.start()
/// print("delay: \(loudspeaker.report.delayNanoseconds / 1_000_000) ms")
/// pipeline.stop()
/// ```
public final class DeviceSink: AudioSink, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the node belongs to the audio thread and the transfer to the device thread; the rest
  // is safe on any.

  public let node: any AudioNode
  private let playout: PlayoutNode
  private let stream: DeviceStream
  private let run: StreamRun
  private let progress: RenderState<StreamProgress>
  private let completion = Doorbell()
  private let isSimulated: Bool

  init(_ deviceID: String, host: any DeviceHost, format: AudioFormat, options: DeviceOptions) throws {
    progress = RenderState(StreamProgress())
    let ring = Ring<Float>(capacity: AudioFormat.sampleRates.upperBound * format.channelCount, initial: 0)
    let models = LatestValue(ClockModel())
    let memory = FrameMemory(count: 1, format: format)
    let state = try PlayoutState(
      samples: ring.takeProducer(), clock: models.takeReader(), format: format, options: options, frame: memory[0],
      progress: progress.pointer)
    playout = PlayoutNode(state, memory: memory, channelCount: format.channelCount, figures: progress)
    node = playout
    let transfer = PlayoutTransfer(
      samples: ring.takeConsumer(), models: models.takeWriter(), channelCount: format.channelCount,
      margin: options.margin.seconds, progress: progress.pointer, completion: completion)
    isSimulated = host.isSimulated
    stream = DeviceStream(
      host: host, deviceID: deviceID, direction: .playout, request: PCMRequest(format, options),
      fallsBack: options.fallsBack, transfer: transfer, figures: progress)
    run = try StreamRun(stream, on: host, named: "playout")
  }

  deinit { run.end() }

  /// Figures since the beginning. Thread: any.
  public var report: DeviceReport { progress.pointer.pointee.report }

  /// System that the device belongs to.
  package var host: any DeviceHost { stream.host }

  /// Takes the device's events since the previous call, in order. Thread: any.
  package func takeEvents() -> [DeviceEvent] { stream.takeEvents() }

  /// Live, a device never keeps a tick waiting.
  public var isReady: Bool { true }
  public func requestCapacity() {}

  /// Notifies the device thread that no frame will follow.
  public func endOfStream() { playout.finish() }

  /// Closes the device once the last sample has been played, after two seconds at most.
  public func finish() {
    // A simulation advances on this thread.
    if !isSimulated, run.isRunning { completion.wait(atMostMilliseconds: 2_000) }
    run.end()
  }
}
