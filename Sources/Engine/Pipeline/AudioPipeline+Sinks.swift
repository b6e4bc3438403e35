public import AudioGraph

extension AudioPipeline {
  /// Adds a consumer of the frames at MIXED or PLAYBACK.
  ///
  /// - Throws: `.invalidArgument` with the fault, `.wrongState` after the pipeline's end.
  public func addSink(_ sink: any AudioSink, at position: SinkPosition = .mixed) throws(EngineError) {
    try edit("the sink cannot be added") {
      try core.checkNotFinished()
      let (graph, listener) = (core.graph, core.listener)
      let id = try graph.add(sink.node, named: "sink \(sinks.count + 1)")
      try graph.connect(position == .mixed ? listener.mixed : listener.playback, to: id)
      sinks.append(sink)
    }
  }
}
