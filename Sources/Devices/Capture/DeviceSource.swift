public import AudioGraph
import Resampling

/// Frames from a microphone or a line input.
///
///     device thread   device ──▶ ring, clock estimate
///     audio thread    ring ──▶ converter that follows both clocks ──▶ node
///
/// The device runs by its own clock. Its samples are converted to the pipeline's, slowly and inaudibly, so that the
/// delay stays the same for days. While the device is gone, the default one takes its place, or the source is silent.
///
/// ```swift
/// let pipeline = try AudioPipeline()
/// let microphone = try pipeline.setLocalSource(.device())
/// try pipeline.start()
/// print("delay: \(microphone.report.delayNanoseconds / 1_000_000) ms")
/// pipeline.stop()
/// ```
public final class DeviceSource: AudioSource, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the node belongs to the audio thread and the transfer to the device thread; the rest
  // is safe on any.

  public let node: any AudioNode
  public let channelCount: Int
  public let sampleRate: Int
  private let stream: DeviceStream
  private let run: StreamRun
  private let progress: RenderState<StreamProgress>

  /// Longest sound that waits for a tick, in seconds.
  private static let capacity = 1

  init(
    _ deviceID: String, host: any DeviceHost, format: AudioFormat, options: DeviceOptions, sourceID: UInt32
  ) throws {
    channelCount = format.channelCount
    sampleRate = format.sampleRate
    progress = RenderState(StreamProgress())
    // Devices run at up to 192 kHz.
    let ring = Ring<Float>(
      capacity: Self.capacity * AudioFormat.sampleRates.upperBound * format.channelCount, initial: 0)
    let models = LatestValue(ClockModel())
    let state = try CaptureState(
      samples: ring.takeConsumer(), clock: models.takeReader(), format: format, options: options, sourceID: sourceID,
      progress: progress.pointer)
    node = CaptureNode(state, channelCount: format.channelCount, figures: progress)
    let transfer = CaptureTransfer(
      samples: ring.takeProducer(), models: models.takeWriter(), channelCount: format.channelCount,
      progress: progress.pointer)
    stream = DeviceStream(
      host: host, deviceID: deviceID, direction: .capture, request: PCMRequest(format, options),
      fallsBack: options.fallsBack, transfer: transfer, figures: progress)
    run = try StreamRun(stream, on: host, named: "capture")
  }

  deinit { detach() }

  /// Figures since the beginning. Thread: any.
  public var report: DeviceReport { progress.pointer.pointee.report }

  /// System that the device belongs to.
  package var host: any DeviceHost { stream.host }

  /// Takes the device's events since the previous call, in order. Thread: any.
  package func takeEvents() -> [DeviceEvent] { stream.takeEvents() }

  /// Closes the device for now, or opens it again; the source is silent meanwhile. Thread: any.
  package func setPaused(_ isPaused: Bool) { stream.setPaused(isPaused) }

  /// Live, a frame that is missing is silence.
  public var isReady: Bool { true }
  /// A device has no end.
  public var isExhausted: Bool { false }
  public func requestMore() {}
  /// A device has no end.
  public var endPosition: Int? { nil }

  /// Closes the device.
  public func detach() { run.end() }
}
