public import AudioGraph
import Resampling

/// Keeps observers and their tap points together while both are added and removed.
///
/// Thread: control (one at a time), except `hasRoom` and `finish`. It edits the graph; the graph's owner installs it
/// afterwards.
public final class ObserverHub {
  private let graph: Graph
  private let isOffline: Bool
  private let onRelease: Doorbell
  private var places: [TapPoint] = []
  private var nextID = 1
  /// Registered observers; locked because `finish` must not need a lock of its caller.
  private let registrations = Guarded<[ObserverRegistration]>([])
  /// Registrations that were swept during a call in progress.
  private var departed: [ObserverRegistration] = []
  /// Asynchronous observers that `hasRoom` checks; locked because the ticking thread reads while the control thread
  /// edits.
  private let waiting = Guarded<[Waiting]>([])

  private struct Waiting: Sendable {
    let node: AsynchronousObserverNode
    let registration: ObserverRegistration
  }

  /// Creates a hub without tap points.
  ///
  /// - Parameters:
  ///   - graph: Graph that the hub edits.
  ///   - isOffline: Whether asynchronous observers get every frame and the pipeline waits for them.
  ///   - onRelease: Rung when an asynchronous observer has freed capacity.
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
  /// - Parameters:
  ///   - source: Origin of the frames.
  ///   - name: Name of the tap point in the graph.
  ///   - format: Format of the frames.
  ///   - node: Node of the stream.
  ///   - output: Output port of the node.
  ///   - isMuted: Whether the frames are those of a muted user; only observers that include those are then called.
  /// - Returns: The node from which the path continues, at output 0.
  /// - Throws: `ObserverError.duplicatePlace`, `GraphError` or `ResamplingError`; the graph is then unchanged.
  public func addTapPoint(
    _ source: FrameOrigin, named name: String, format: AudioFormat, after node: NodeID, output: Int = 0,
    isMuted: Bool = false
  ) throws -> NodeID {
    guard !places.contains(where: { $0.source == source }) else { throw ObserverError.duplicatePlace(source) }
    let anchor = try graph.add(PassThroughNode(channelCount: format.channelCount), named: name)
    var made: TapPoint?
    do {
      let place = try TapPoint(
        source: source, format: format, upstream: .init(node: node, port: output), anchor: anchor, isMuted: isMuted,
        graph: graph)
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

  /// Removes a tap point and its observers' nodes from the graph. The nodes around it may be gone already.
  public func removePlace(_ source: FrameOrigin) throws {
    guard let index = places.firstIndex(where: { $0.source == source }) else { return }
    dismantle(places.remove(at: index))
  }

  /// Registers an observer at every tap point that its mask may ever name.
  ///
  /// - Parameters:
  ///   - request: Request for the observer.
  ///   - onMask: Called when the observer's mask has been set, on the thread that set it.
  ///   - onRemove: Called when the observer has been removed, on the thread that removed it.
  /// - Throws: `ObserverError`, `ResamplingError` or `GraphError`; no observer is then registered.
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

  /// Positions that observers request at present.
  package var observedPositions: ObserverPosition {
    registrations.withLock { all in
      all.reduce(into: []) { if !$1.isRemoved { $0.formUnion($1.mask) } }
    }
  }

  /// Removes the nodes of removed registrations from the graph and releases the objects that they hold.
  ///
  /// It does not wait for calls: an observer that removed itself in a call still in progress is released by the next
  /// sweep. Without removals it only checks each registration.
  ///
  /// - Returns: True if the graph has changed.
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

  /// Returns whether every asynchronous observer has capacity for the next frame; wakes each one without capacity.
  ///
  /// Thread: the one that ticks, between ticks, offline only; the control thread may edit meanwhile.
  public func hasRoom() -> Bool {
    var isReady = true
    waiting.withLock { waiting in
      for member in waiting where !member.node.hasRoom {
        // An observer that takes no more frames is not waited for.
        guard let thread = member.registration.thread, !thread.isStopping else { continue }
        thread.bell.ring()
        isReady = false
      }
    }
    return isReady
  }

  /// Whether the pipeline waits for asynchronous observers. Thread: any.
  public var isWaitedFor: Bool { waiting.withLock { !$0.isEmpty } }

  /// Delivers the waiting frames to asynchronous observers and ends their threads; `FrameStream`s end.
  ///
  /// It waits until all frames are delivered; offline, until each loop over a stream has fetched its remaining frames.
  /// Call it after the last tick, beside those loops, and under no lock that an observer's call may want. Frames of
  /// later ticks reach synchronous observers only. Thread: any; within an observer's call it does not wait.
  public func finish() {
    let registrations = registrations.withLock { $0 }
    for registration in registrations { registration.thread?.requestStop() }
    for registration in registrations { registration.thread?.stop() }
  }

  /// Returns the latency that an observer's conversion adds to its own frames at `source`.
  ///
  /// - Parameters:
  ///   - registration: Registration of the observer.
  ///   - source: Origin of the frames.
  /// - Returns: Latency in samples per channel at the observer's rate; nil if the observer is not registered there.
  public func observationDelay(of registration: ObserverRegistration, at source: FrameOrigin) -> Int? {
    places.first { $0.source == source }?.members.first { $0.registration === registration }?.node.observationDelay
  }

  /// Whether an observer requests the frames of an origin at present.
  ///
  /// - Parameters:
  ///   - origin: Origin of the frames.
  ///   - isMuted: Whether the user is muted.
  package func isObserved(_ origin: FrameOrigin, isMuted: Bool = false) -> Bool {
    registrations.withLock { all in
      all.contains {
        !$0.isRemoved && $0.mask.contains(origin.position) && $0.request.wants(origin, isMuted: isMuted)
      }
    }
  }

  private func attach(_ registration: ObserverRegistration, to place: TapPoint) throws {
    let request = registration.request
    guard request.wants(place.source, isMuted: place.isMuted) else { return }
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

  /// Removes a member from the waiting ones. Its feed ends by itself, behind the last frame of the last plan with the
  /// node.
  private func detach(_ member: TapPoint.Member) {
    waiting.withLock { $0.removeAll { $0.node === member.node } }
    if let ring = member.ring, member.registration.isRemoved { member.registration.remove(ring) }
  }

  /// Returns whether the requested format is the tap point's own, frame by frame.
  private func isNative(_ params: AudioParams, in format: AudioFormat) -> Bool {
    params.sampleRate == format.sampleRate && params.channelCount == format.channelCount
      && params.samplesPerChannel * FrameSchedule.framesPerSecond == format.sampleRate
  }
}
