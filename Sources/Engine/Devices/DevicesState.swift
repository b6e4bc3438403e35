import AudioGraph
import Devices

/// The sound devices of a pipeline: the local user's microphone and the loudspeakers, and their events.
///
/// Thread: control, under the pipeline's lock.
final class DevicesState: PipelineFeature {
  /// A loudspeaker.
  private struct Playout {
    let sink: DeviceSink
    var device: AudioDevice?
    /// Reason why it does not play; nil if there is none.
    var error: LocalAudioError?
  }

  private let core: PipelineCore
  private let users: UsersState
  private var playouts: [Playout] = []
  private var source: DeviceSource?
  /// The device that captures now.
  private var capture: AudioDevice?
  /// Reason why no device captures; nil if there is none.
  private var captureError: LocalAudioError?
  /// State of the newest event.
  private var state = LocalAudioState.stopped
  private var error = LocalAudioError.ok
  private var route = AudioRoute.default
  /// Whether a device has come or gone since the route was decided.
  private var isRouteStale = false
  /// Packets of the local voice so far, and those that could not be encoded.
  private var encodedCount = 0
  private var encodingFailureCount = 0
  private var isEncodingFailing = false
  /// Devices that come and go, from the first device source or sink on.
  private var monitor: DeviceMonitor?
  /// Devices that are plugged in, as far as is known, each as its arrival.
  private var pluggedIn: Set<DeviceStateChange> = []
  private let activity = FeatureActivity()

  init(_ core: PipelineCore, users: UsersState) {
    self.core = core
    self.users = users
  }

  var isActive: Bool { activity.isActive }
  var isPolled: Bool { false }

  /// Delay of the local user's microphone; nil if no device captures.
  var captureDelayMilliseconds: Double? { capture == nil ? nil : source.map { Self.delay($0.report) } }

  /// Delay of the first loudspeaker that plays; nil if none does.
  var playoutDelayMilliseconds: Double? { playouts.first { $0.device != nil }.map { Self.delay($0.sink.report) } }

  /// Adds a loudspeaker. Within an edit.
  func add(_ sink: DeviceSink) {
    playouts.append(Playout(sink: sink))
    watch(sink.host)
  }

  /// Takes the local user's source, and reports the events of the devices so far.
  func reconcile(graph: Graph) throws {
    let present = users.local?.source as? DeviceSource
    if present !== source {
      if present == nil { report(.stopped) }
      source = present
      capture = nil
      captureError = nil
      isRouteStale = true
      if let present { watch(present.host) }
    }
    activity.set(source != nil || !playouts.isEmpty)
    source?.setPaused(!isCaptured)
    collect()
  }

  /// Closes or opens the microphone, and reports that.
  func applyCapture() {
    source?.setPaused(!isCaptured)
    collect()
  }

  func collect() {
    guard !core.run.isFinished else { return end() }
    if let (arrived, gone) = monitor?.takeChanges() {
      for device in gone { post(device.id, device.direction, .unplugged) }
      for device in arrived { post(device.id, device.direction, .pluggedIn) }
    }
    for event in source?.takeEvents() ?? [] { take(event) }
    for index in playouts.indices {
      for event in playouts[index].sink.takeEvents() { take(event, ofPlayout: index) }
    }
    update()
  }

  /// Notes the numbers of packets of the local voice so far, and of those that could not be encoded. After `collect`.
  func noteEncoded(_ count: Int, failures: Int) {
    if count > encodedCount {
      isEncodingFailing = false
      if state == .recording || error == .encodingFailed { report(.encoding) }
    } else if failures > encodingFailureCount, state == .recording || state == .encoding {
      isEncodingFailing = true
      reportFailure(.encodingFailed)
    }
    encodedCount = count
    encodingFailureCount = failures
  }

  /// Reports that a device could not be opened for a source or a sink. Other errors change nothing.
  func reportRefusal(_ error: any Error, of direction: AudioDirection) {
    if let error = error as? DeviceError {
      report(.failed, LocalAudioError(error, of: direction))
    } else if error is ThreadError {
      report(.failed, .failure)
    }
  }

  private func take(_ event: DeviceEvent) {
    isRouteStale = true
    switch event {
    case .opened(let device):
      capture = device
      pluggedIn.insert(Self.key(device))
      captureError = nil
      if isCaptured { report(.recording) }
    case .failed(let error):
      capture = nil
      captureError = LocalAudioError(error, of: .capture)
    case .unplugged(let id):
      capture = nil
      captureError = nil
      post(id, .capture, .unplugged)
    case .closed:
      capture = nil
      captureError = nil
    case .interrupted: captureError = .interrupted
    case .resumed: captureError = nil
    case .plugged(let id): post(id, .capture, .pluggedIn)
    }
  }

  private func take(_ event: DeviceEvent, ofPlayout index: Int) {
    isRouteStale = true
    switch event {
    case .opened(let device):
      playouts[index].device = device
      playouts[index].error = nil
      pluggedIn.insert(Self.key(device))
    case .failed:
      playouts[index].device = nil
      playouts[index].error = .noPlayoutDevice
    case .unplugged(let id):
      playouts[index].device = nil
      playouts[index].error = nil
      post(id, .playout, .unplugged)
    case .closed: playouts[index].device = nil
    case .interrupted: playouts[index].error = .interrupted
    case .resumed: playouts[index].error = nil
    case .plugged(let id): post(id, .playout, .pluggedIn)
    }
  }

  /// Reports state and route if they have changed.
  private func update() {
    if source != nil, !isCaptured {
      if state != .stopped { report(.stopped) }
    } else if let captureError {
      reportFailure(captureError)
    } else if let playoutError = playouts.lazy.compactMap(\.error).first {
      reportFailure(playoutError)
    } else if capture != nil, state != .recording, state != .encoding, !isEncodingFailing {
      report(.recording)
    } else if source == nil, state == .failed, !playouts.isEmpty {
      report(.stopped)
    }
    guard isRouteStale else { return }
    isRouteStale = false
    report(AudioRoute(playout: playouts.lazy.compactMap(\.device).first, capture: capture))
  }

  /// Whether the local user's sound is captured at all.
  private var isCaptured: Bool {
    users.isAudioEnabled && users.local?.isCaptured == true && !users.owners.holdMicrophone
  }

  private func end() {
    capture = nil
    captureError = nil
    for index in playouts.indices { playouts[index].device = nil }
    if state != .stopped { report(.stopped) }
    report(.default)
  }

  private func reportFailure(_ reason: LocalAudioError) {
    if state != .failed || error != reason { report(.failed, reason) }
  }

  private func report(_ state: LocalAudioState, _ error: LocalAudioError = .ok) {
    self.state = state
    self.error = error
    core.post(.localAudioState(state, error))
  }

  private func report(_ route: AudioRoute) {
    guard route != self.route else { return }
    self.route = route
    core.post(.audioRoute(route))
  }

  private func watch(_ host: any DeviceHost) {
    guard monitor == nil else { return }
    let monitor = DeviceMonitor(host)
    pluggedIn.formUnion(monitor.devices.map(Self.key))
    self.monitor = monitor
  }

  /// Reports that a device has come or gone. The system's list and an open stream both notice it.
  private func post(_ id: String, _ direction: AudioDirection, _ state: DeviceStateChange.State) {
    let key = DeviceStateChange(id: id, direction: direction, state: .pluggedIn)
    guard state == .pluggedIn ? pluggedIn.insert(key).inserted : pluggedIn.remove(key) != nil else { return }
    core.post(.deviceState(DeviceStateChange(id: id, direction: direction, state: state)))
  }

  private static func key(_ device: AudioDevice) -> DeviceStateChange {
    DeviceStateChange(id: device.id, direction: device.direction, state: .pluggedIn)
  }

  private static func delay(_ report: DeviceReport) -> Double { Double(report.delayNanoseconds) / 1e6 }
}
