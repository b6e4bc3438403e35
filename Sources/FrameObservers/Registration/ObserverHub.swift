public import AudioGraph
import Resampling

/// Keeps observers and the places they look at together while both come and go.
///
/// Thread: control (one at a time), but for `hasRoom` and `finish`. It edits the graph; whoever owns the graph installs
/// it afterwards.
public final class ObserverHub {
  private let graph: Graph
  private let isOffline: Bool
  private let onRelease: Doorbell
  private var places: [TapPoint] = []
  private var nextID = 1
  /// Under a lock because `finish` must not need one of its caller's.
  private let registrations = Guarded<[ObserverRegistration]>([])
  /// Swept, but at that time still in a call.
  private var departed: [ObserverRegistration] = []
  /// What `hasRoom` asks; under a lock because the ticking thread asks while the control thread edits.
  private let waiting = Guarded<[Waiting]>([])

  private struct Waiting: Sendable {
    let node: AsynchronousObserverNode
    let registration: ObserverRegistration
  }

  /// A hub without places.
  ///
  /// - Parameters:
  ///   - isOffline: true offline, where asynchronous observers get every frame and the pipeline waits for them.
  ///   - onRelease: rung when an asynchronous observer has made room.
  public init(graph: Graph, isOffline: Bool, onRelease: Doorbell) {
    self.graph = graph
    self.isOffline = isOffline
    self.onRelease = onRelease
  }

  /// Removes every observer that is still registered, as `ObserverRegistration.remove` does.
  deinit {
    for registration in registrations.withLock({ $0 }) + departed { registration.remove() }
  }

  /// Makes the stream that leaves `node` observable as `source`.
  ///
  /// Returns: the node from whose output 0 the path goes on. Throws: `ObserverError.duplicatePlace`, `GraphError` or
  /// `ResamplingError`; the graph is then as before.
  public func addTapPoint(
    _ source: FrameOrigin, named name: String, format: AudioFormat, after node: NodeID, output: Int = 0
  ) throws -> NodeID {
    guard !places.contains(where: { $0.source == source }) else { throw ObserverError.duplicatePlace(source) }
    let anchor = try graph.add(PassThroughNode(channelCount: format.channelCount), named: name)
    var made: TapPoint?
    do {
      let place = try TapPoint(
        source: source, format: format, upstream: .init(node: node, port: output), anchor: anchor, graph: graph)
      made = place
      for registration in registrations.withLock({ $0 }) where !registration.isRemoved {
        try attach(registration, to: place)
      }
      places.append(place)
      return anchor
    } catch {
      if let made { dismantle(made) } else { try graph.remove(anchor) }
      throw error
    }
  }

  /// Takes a place and the observers' nodes at it out of the graph. The nodes around it may be gone already.
  public func removePlace(_ source: FrameOrigin) throws {
    guard let index = places.firstIndex(where: { $0.source == source }) else { return }
    dismantle(places.remove(at: index))
  }

  /// Registers an observer at every place that its mask may ever name.
  ///
  /// - Parameters:
  ///   - onMask: called when its mask has been set, on the thread that did it.
  ///   - onRemove: called when it has been removed, likewise.
  /// - Throws: `ObserverError`, `ResamplingError` or `GraphError`; nothing is registered then.
  public func add(
    _ request: ObserverRequest, onMask: @escaping @Sendable () -> Void = {},
    onRemove: @escaping @Sendable () -> Void = {}
  ) throws -> ObserverRegistration {
    try request.check()
    let registration = try ObserverRegistration(
      id: nextID, request: request, onMask: onMask, onRemove: onRemove)
    do {
      for place in places { try attach(registration, to: place) }
    } catch {
      _ = registration.call.markRemoved()
      registration.thread?.stop()
      for place in places { try place.remove(where: { $0 === registration }, from: graph).forEach(detach) }
      throw error
    }
    nextID += 1
    registrations.withLock { $0.append(registration) }
    request.onRegistration?(registration)
    return registration
  }

  /// The positions that observers ask for at present.
  package var observedPositions: ObserverPosition {
    registrations.withLock { all in
      all.reduce(into: []) { if !$1.isRemoved { $0.formUnion($1.mask) } }
    }
  }

  /// Takes the nodes of removed registrations out of the graph and lets go of what they hold.
  ///
  /// It waits for no call: who removed itself in one that is still in progress is let go by the next sweep. Where
  /// nothing was removed it costs a look at each registration. Returns: true when the graph has changed.
  @discardableResult
  public func sweep() throws -> Bool {
    let leaving = registrations.withLock { $0.filter(\.isRemoved) }
    var hasChanged = false
    if !leaving.isEmpty {
      let ids = Set(leaving.map(\.id))
      for place in places {
        let members = try place.remove(where: { ids.contains($0.id) }, from: graph)
        members.forEach(detach)
        hasChanged = hasChanged || !members.isEmpty
      }
      registrations.withLock { $0.removeAll { ids.contains($0.id) } }
      departed += leaving
    }
    departed.removeAll { $0.releaseIfIdle() }
    return hasChanged
  }

  /// True when every asynchronous observer has room for the next frame; each is woken if one has not.
  ///
  /// Thread: the one that ticks, between ticks, offline only; the control thread may edit meanwhile.
  public func hasRoom() -> Bool {
    var isReady = true
    waiting.withLock { waiting in
      for member in waiting where !member.node.hasRoom {
        // Who takes nothing any more is not waited for.
        guard let thread = member.registration.thread, !thread.isStopping else { continue }
        thread.bell.ring()
        isReady = false
      }
    }
    return isReady
  }

  /// True where asynchronous observers are waited for. Thread: any.
  public var isWaitedFor: Bool { waiting.withLock { !$0.isEmpty } }

  /// Delivers what waits for asynchronous observers and ends their threads; `FrameStream`s end.
  ///
  /// It waits until all is delivered, so offline until each loop over a stream has fetched what is left: call it
  /// after the last tick, beside those loops, and under no lock that an observer's call may want. Frames of later
  /// ticks reach synchronous observers only. Thread: any; within an observer's call it does not wait.
  public func finish() {
    let registrations = registrations.withLock { $0 }
    for registration in registrations { registration.thread?.requestStop() }
    for registration in registrations { registration.thread?.stop() }
  }

  /// What an observer's conversion adds to the latency of its own frames at `source`, in samples per channel at the
  /// observer's rate; nil when it is not registered there.
  public func observationDelay(of registration: ObserverRegistration, at source: FrameOrigin) -> Int? {
    places.first { $0.source == source }?.members.first { $0.registration === registration }?.node.observationDelay
  }

  private func attach(_ registration: ObserverRegistration, to place: TapPoint) throws {
    let request = registration.request
    let position = place.source.position
    let target = ObserverTarget(call: registration.call, source: place.source)
    var params = request.params[position]
    if let wanted = params, isNative(wanted, in: place.format) { params = nil }
    let node: any ObserverNode
    var asynchronous: (node: AsynchronousObserverNode, ring: FrameRing, feed: ObserverFeed)?
    if request.isAsynchronous {
      let ring = FrameRing(
        capacity: request.capacity, format: place.format, policy: isOffline ? .dropNewest : .dropOldest)
      let delivery = try FrameDelivery(format: place.format, params: params, target: target, quality: .lowCost)
      let asynchronousNode = AsynchronousObserverNode(
        channelCount: place.format.channelCount, target: target, frames: ring.takeProducer(),
        observationDelay: delivery.delay)
      let feed = ObserverFeed(
        frames: ring.takeConsumer(), format: place.format, delivery: delivery, target: target, onRelease: onRelease,
        onEnd: { [weak registration] in registration?.remove(ring) })
      asynchronous = (asynchronousNode, ring, feed)
      node = asynchronousNode
    } else if !request.isWritable(at: position) {
      node = try ReadOnlyObserverNode(format: place.format, params: params, target: target)
    } else if let params {
      node = try ConvertingObserverNode(format: place.format, params: params, target: target)
    } else {
      node = ReadWriteObserverNode(format: place.format, target: target)
    }
    let name = "observer \(registration.id) at \(try graph.name(of: place.anchor))"
    let id = try graph.add(node, named: name)
    try place.add(.init(registration: registration, node: node, id: id, ring: asynchronous?.ring), to: graph)
    if let asynchronous {
      registration.add(asynchronous.ring)
      registration.thread?.add(asynchronous.feed)
      waiting.withLock { $0.append(Waiting(node: asynchronous.node, registration: registration)) }
    }
  }

  private func dismantle(_ place: TapPoint) { place.dismantle(in: graph).forEach(detach) }

  /// The feed ends by itself, behind the last frame of the last plan that has the node.
  private func detach(_ member: TapPoint.Member) {
    waiting.withLock { $0.removeAll { $0.node === member.node } }
    if let ring = member.ring, member.registration.isRemoved { member.registration.remove(ring) }
  }

  /// True where the format asked for is the place's own, frame by frame.
  private func isNative(_ params: AudioParams, in format: AudioFormat) -> Bool {
    params.sampleRate == format.sampleRate && params.channelCount == format.channelCount
      && params.samplesPerChannel * FrameSchedule.framesPerSecond == format.sampleRate
  }
}
