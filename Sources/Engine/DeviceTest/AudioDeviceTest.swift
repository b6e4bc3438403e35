import AudioFiles
public import AudioGraph
package import Devices
import Effects
import Metering

/// A test of sound devices before a call: it captures, plays, or both, and reports volumes until `stop`.
///
/// ```swift
/// let test = try AudioDeviceTest.recording { type, volume in print("\(type): \(volume)") }
/// // Later, when somebody has spoken:
/// test.stop()
/// ```
/// Each test is a small live pipeline of its own, and keeps its devices open. Volumes are those of
/// `AudioPipeline.setVolumeReports`, without smoothing.
///
/// Thread: any. The handler is called on a thread of the test and must not call `stop`.
public final class AudioDeviceTest: Sendable {
  /// Origin of a volume.
  public enum VolumeType: Int, Hashable, Sendable {
    /// The sound of the microphone.
    case recording = 0
    /// The sound that is played.
    case playback = 1
  }

  /// Takes volumes of 0 to 255.
  public typealias VolumeHandler = @Sendable (_ type: VolumeType, _ volume: Int) -> Void

  /// Pipeline of the test. With simulated devices it is offline, and its owner makes the ticks.
  package let pipeline: AudioPipeline

  private init(
    on devices: VirtualDevices?, every interval: Duration, onVolume: @escaping VolumeHandler,
    volumes: @escaping @Sendable (VolumeReport) -> [(VolumeType, Int)],
    connect: (AudioPipeline) throws(EngineError) -> Void
  ) throws(EngineError) {
    pipeline = try AudioPipeline(mode: devices?.isSimulated == true ? .offline : .live)
    try connect(pipeline)
    try pipeline.setVolumeReports(every: interval, smooth: 10)
    pipeline.onEvent { event in
      guard case .volumes(let report) = event.kind else { return }
      for (type, volume) in volumes(report) { onVolume(type, volume) }
    }
    if pipeline.options.isOffline { try pipeline.startStepping(isEndless: true) } else { try pipeline.start() }
  }

  deinit { stop() }

  /// Captures from a device.
  ///
  /// - Parameters:
  ///   - id: The device: an `id` of a list of devices.
  ///   - interval: Time from volume to volume in whole milliseconds, at least 10.
  ///   - onVolume: Takes volumes of the type `recording`.
  /// - Throws: The reason why the device cannot be opened; a `DeviceError` is its `cause`. `.invalidArgument` for the
  ///   interval.
  public static func recording(
    from id: String = "default", every interval: Duration = .milliseconds(200), onVolume: @escaping VolumeHandler
  ) throws(EngineError) -> AudioDeviceTest {
    try recording(from: id, of: nil, every: interval, onVolume: onVolume)
  }

  /// Plays a file through a device, once.
  ///
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - id: The device: an `id` of a list of devices.
  ///   - interval: Time from volume to volume in whole milliseconds, at least 10.
  ///   - onVolume: Takes volumes of the type `playback`; they are 0 after the end of the file.
  /// - Throws: The reason why file or device cannot be opened; `.invalidArgument` for the interval.
  public static func playback(
    of path: String, through id: String = "default", every interval: Duration = .milliseconds(200),
    onVolume: @escaping VolumeHandler
  ) throws(EngineError) -> AudioDeviceTest {
    try playback(of: path, through: id, of: nil, every: interval, onVolume: onVolume)
  }

  /// Plays the sound of a microphone through a loudspeaker.
  ///
  /// - Parameters:
  ///   - captureID: The microphone: an `id` of a list of devices.
  ///   - playoutID: The loudspeaker: an `id` of a list of devices.
  ///   - interval: Time from volume to volume in whole milliseconds, at least 10.
  ///   - onVolume: Takes volumes of both types, `recording` first.
  /// - Throws: The reason why a device cannot be opened; `.invalidArgument` for the interval.
  public static func loopback(
    from captureID: String = "default", through playoutID: String = "default",
    every interval: Duration = .milliseconds(200), onVolume: @escaping VolumeHandler
  ) throws(EngineError) -> AudioDeviceTest {
    try loopback(from: captureID, through: playoutID, of: nil, every: interval, onVolume: onVolume)
  }

  /// Ends the test and closes its devices. Further calls do nothing.
  public func stop() {
    if !pipeline.options.isOffline { return pipeline.stop() }
    if pipeline.isRunning { pipeline.finishStepping() }
  }
}

// MARK: Simulated devices

extension AudioDeviceTest {
  /// Captures from a simulated device; nil: a real one.
  package static func recording(
    from id: String, of devices: VirtualDevices?, every interval: Duration, onVolume: @escaping VolumeHandler
  ) throws(EngineError) -> AudioDeviceTest {
    try AudioDeviceTest(on: devices, every: interval, onVolume: onVolume) { report in
      report.side == .local ? [(.recording, report.totalVolume)] : []
    } connect: { pipeline throws(EngineError) in
      try pipeline.setLocalSource(device(id, of: devices))
    }
  }

  /// Plays a file through a simulated device; nil: a real one.
  package static func playback(
    of path: String, through id: String, of devices: VirtualDevices?, every interval: Duration,
    onVolume: @escaping VolumeHandler
  ) throws(EngineError) -> AudioDeviceTest {
    try AudioDeviceTest(on: devices, every: interval, onVolume: onVolume) { report in
      report.side == .remote ? [(.playback, report.totalVolume)] : []
    } connect: { pipeline throws(EngineError) in
      try pipeline.addRemoteUser(1, from: .file(path))
      try pipeline.addSink(sink(id, of: devices), at: .playback)
    }
  }

  /// Plays the sound of a simulated microphone; nil: a real one.
  package static func loopback(
    from captureID: String, through playoutID: String, of devices: VirtualDevices?, every interval: Duration,
    onVolume: @escaping VolumeHandler
  ) throws(EngineError) -> AudioDeviceTest {
    try AudioDeviceTest(on: devices, every: interval, onVolume: onVolume) { report in
      guard report.side == .local, let voice = report.speakers.first else { return [] }
      return [(.recording, voice.volume), (.playback, report.totalVolume)]
    } connect: { pipeline throws(EngineError) in
      try pipeline.setLocalSource(device(captureID, of: devices))
      try pipeline.local.setEarMonitoring(.unchanged)
      try pipeline.addSink(sink(playoutID, of: devices), at: .playout)
    }
  }

  private static func device(_ id: String, of devices: VirtualDevices?) -> DeviceSourceDescription {
    devices.map { .device(id, of: $0) } ?? .device(id)
  }

  private static func sink(_ id: String, of devices: VirtualDevices?) -> DeviceSinkDescription {
    devices.map { .device(id, of: $0) } ?? .device(id)
  }
}
