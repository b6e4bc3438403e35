public import AudioGraph
import Devices

extension AudioPipeline {
  /// Adds a consumer of the frames at a position.
  ///
  /// - Throws: `.invalidArgument` with the fault, `.wrongState` after the pipeline's end.
  public func addSink(_ sink: any AudioSink, at position: SinkPosition = .mixed) throws(EngineError) {
    try edit("the sink cannot be added") {
      try core.checkNotFinished()
      let id = try core.graph.add(sink.node, named: "sink \(sinks.count + 1)")
      let source =
        switch position {
        case .mixed: core.listener.mixed
        case .playback: core.listener.playback
        case .playout: try playout.connect()
        }
      try core.graph.connect(source, to: id)
      sinks.append(sink)
      if let device = sink as? DeviceSink { devices.add(device) }
    }
  }
}
