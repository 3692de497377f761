//! Links while they are being found: within a step with what is known of their direction, and from
//! earlier steps.

/// What stands between two variables of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Absent,
    /// A link whose direction is not known.
    Open,
    /// The first causes the second.
    Forth,
    /// The second causes the first.
    Back,
    /// Rules point both ways.
    Torn,
}

/// Links between d variables.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Links {
    pub variables: usize,
    within: Vec<State>,
    /// \[lag\]\[from · variables + to\], lags from 1 on.
    lagged: Vec<Vec<bool>>,
}

impl Links {
    /// All links within the step, open, and none from before it.
    pub fn open(variables: usize, lag: usize) -> Self {
        let mut within = vec![State::Open; variables * variables];
        (0..variables).for_each(|v| within[v * variables + v] = State::Absent);
        Self { variables, within, lagged: vec![vec![false; variables * variables]; lag] }
    }

    /// The longest lag.
    pub fn lag(&self) -> usize {
        self.lagged.len()
    }

    /// What stands between two variables of one step.
    pub fn state(&self, first: usize, second: usize) -> State {
        self.within[first * self.variables + second]
    }

    /// Whether a link is there.
    pub fn is_there(&self, from: usize, to: usize, lag: usize) -> bool {
        match lag {
            0 => self.state(from, to) != State::Absent,
            _ => self.lagged[lag - 1][from * self.variables + to],
        }
    }

    /// Whether `from` at this lag is known to be a cause of `to`.
    pub fn causes(&self, from: usize, to: usize, lag: usize) -> bool {
        match lag {
            0 => self.state(from, to) == State::Forth,
            _ => self.is_there(from, to, lag),
        }
    }

    /// Adds a link from before the step.
    pub fn add(&mut self, from: usize, to: usize, lag: usize) {
        self.lagged[lag - 1][from * self.variables + to] = true;
    }

    /// Takes a link away.
    pub fn remove(&mut self, from: usize, to: usize, lag: usize) {
        match lag {
            0 => self.set(from, to, State::Absent, State::Absent),
            _ => self.lagged[lag - 1][from * self.variables + to] = false,
        }
    }

    /// `from` causes `to` within the step.
    pub fn orient(&mut self, from: usize, to: usize) {
        self.set(from, to, State::Forth, State::Back);
    }

    /// Rules point both ways between two variables.
    pub fn tear(&mut self, first: usize, second: usize) {
        self.set(first, second, State::Torn, State::Torn);
    }

    fn set(&mut self, first: usize, second: usize, forth: State, back: State) {
        self.within[first * self.variables + second] = forth;
        self.within[second * self.variables + first] = back;
    }

    /// The variables linked with one within the step, in their order.
    pub fn neighbours(&self, variable: usize) -> Vec<usize> {
        (0..self.variables).filter(|v| self.state(*v, variable) != State::Absent).collect()
    }

    /// Every (variable, lag) linked with one, but where rules point both ways.
    pub fn around(&self, variable: usize) -> Vec<(usize, usize)> {
        let sound = |from: usize, lag: usize| {
            self.is_there(from, variable, lag)
                && (lag > 0 || self.state(from, variable) != State::Torn)
        };
        let all = (0..self.variables).flat_map(|v| (0..=self.lag()).map(move |lag| (v, lag)));
        all.filter(|(from, lag)| sound(*from, *lag)).collect()
    }
}
