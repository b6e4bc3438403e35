import AudioGraph
import Devices
import Engine
import Foundation
import MediaStreams

/// Simulated devices and a pipeline in virtual time, and the events of devices as lines.
final class DeviceRig {
  let devices = VirtualDevices(clock: VirtualClock())
  let pipeline: AudioPipeline
  private let events = Guarded<[PipelineEvent]>([])

  /// - Parameters:
  ///   - microphones: Names of microphones; the first is the default one.
  ///   - loudspeakers: Names of loudspeakers; the first is the default one.
  init(microphones: [String] = [], loudspeakers: [String] = []) throws {
    for id in microphones {
      devices.plug(VirtualDevice(id: id, direction: .capture))
      devices.setSignal(of: id) { Float(0.5 * sin(2 * .pi * 1_000 * $0)) }
    }
    for id in loudspeakers { devices.plug(VirtualDevice(id: id, direction: .playout)) }
    pipeline = try AudioPipeline(mode: .offline)
    pipeline.onEvent { [events] event in events.withLock { $0.append(event) } }
  }

  func start() throws { try pipeline.startStepping(isEndless: true) }

  func run(ticks: Int) { Self.run(pipeline, devices, ticks: ticks) }

  static func run(_ pipeline: AudioPipeline, _ devices: VirtualDevices, ticks: Int) {
    for _ in 0..<ticks {
      let now = pipeline.tickCount * 10_000_000
      devices.run(untilNanoseconds: now)
      _ = pipeline.waitUntilReady()
      pipeline.step(atNanoseconds: now)
    }
  }

  var all: [PipelineEvent] { events.withLock { $0 } }

  /// The events so far: `local 1/0`, `route 4`, `mic capture 8`.
  var lines: [String] {
    all.compactMap { event in
      switch event.kind {
      case .localAudioState(let state, let error): "local \(state.rawValue)/\(error.rawValue)"
      case .audioRoute(let route): "route \(route.rawValue)"
      case .deviceState(let change): "\(change.id) \(change.direction) \(change.state.rawValue)"
      default: nil
      }
    }
  }

  /// Lines of local states and microphones.
  var captureLines: [String] { lines.filter { $0.hasPrefix("local") || $0.contains("capture") } }

  var statistics: [LocalAudioStatistics] {
    all.compactMap { event in
      guard case .localAudioStatistics(let statistics) = event.kind else { return nil }
      return statistics
    }
  }
}
