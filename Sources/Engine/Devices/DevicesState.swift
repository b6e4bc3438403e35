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
    var hasFailed = false
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
  /// Packets of the local voice so far.
  private var encodedCount = 0
  private let activity = FeatureActivity()

  init(_ core: PipelineCore, users: UsersState) {
    self.core = core
    self.users = users
  }

  var isActive: Bool { activity.isActive }

  /// Delay of the local user's microphone; nil if no device captures.
  var captureDelayMilliseconds: Double? { capture == nil ? nil : source.map { Self.delay($0.report) } }

  /// Delay of the first loudspeaker that plays; nil if none does.
  var playoutDelayMilliseconds: Double? { playouts.first { $0.device != nil }.map { Self.delay($0.sink.report) } }

  /// Adds a loudspeaker. Within an edit.
  func add(_ sink: DeviceSink) { playouts.append(Playout(sink: sink)) }

  /// Takes the local user's source, and reports the events of the devices so far.
  func reconcile(graph: Graph) throws {
    let present = users.local?.source as? DeviceSource
    if present !== source {
      if present == nil { report(.stopped) }
      source = present
      capture = nil
      captureError = nil
      isRouteStale = true
    }
    activity.set(source != nil || !playouts.isEmpty)
    collect()
  }

  func collect() {
    guard !core.run.isFinished else { return end() }
    for event in source?.takeEvents() ?? [] { take(event) }
    for index in playouts.indices {
      for event in playouts[index].sink.takeEvents() { take(event, ofPlayout: index) }
    }
    update()
  }

  /// Notes the number of packets of the local voice so far. After `collect`.
  func noteEncoded(_ count: Int) {
    if state == .recording, count > encodedCount { report(.encoding) }
    encodedCount = count
  }

  /// Reports that a device could not be opened for a source or a sink. Other errors change nothing.
  func reportRefusal(_ error: any Error, of direction: AudioDirection) {
    guard let error = error as? DeviceError else { return }
    report(.failed, LocalAudioError(error, of: direction))
  }

  private func take(_ event: DeviceEvent) {
    isRouteStale = true
    switch event {
    case .opened(let device):
      capture = device
      captureError = nil
      if isCaptured { report(.recording) }
    case .failed(let error):
      capture = nil
      captureError = LocalAudioError(error, of: .capture)
    case .unplugged(let id):
      capture = nil
      post(id, .capture, .unplugged)
    case .plugged(let id): post(id, .capture, .pluggedIn)
    }
  }

  private func take(_ event: DeviceEvent, ofPlayout index: Int) {
    isRouteStale = true
    switch event {
    case .opened(let device):
      playouts[index].device = device
      playouts[index].hasFailed = false
    case .failed:
      playouts[index].device = nil
      playouts[index].hasFailed = true
    case .unplugged(let id):
      playouts[index].device = nil
      post(id, .playout, .unplugged)
    case .plugged(let id): post(id, .playout, .pluggedIn)
    }
  }

  /// Reports state and route if they have changed.
  private func update() {
    if source != nil, !isCaptured {
      if state != .stopped { report(.stopped) }
    } else if let captureError {
      reportFailure(captureError)
    } else if playouts.contains(where: \.hasFailed) {
      reportFailure(.noPlayoutDevice)
    } else if capture != nil, state != .recording, state != .encoding {
      report(.recording)
    } else if source == nil, error == .noPlayoutDevice, !playouts.isEmpty {
      report(.stopped)
    }
    guard isRouteStale else { return }
    isRouteStale = false
    report(AudioRoute(playout: playouts.lazy.compactMap(\.device).first, capture: capture))
  }

  /// Whether the local user's sound is captured at all.
  private var isCaptured: Bool { users.isAudioEnabled && users.local?.isCaptured == true }

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

  private func post(_ id: String, _ direction: AudioDirection, _ state: DeviceStateChange.State) {
    core.post(.deviceState(DeviceStateChange(id: id, direction: direction, state: state)))
  }

  private static func delay(_ report: DeviceReport) -> Double { Double(report.delayNanoseconds) / 1e6 }
}
