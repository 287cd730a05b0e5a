//! Polynomials over variables: what subscripts and bounds are compared as.

use crate::scope::VarId;
use std::collections::BTreeMap;

/// Most terms; beyond it nothing is known.
const MAX_TERMS: usize = 64;

/// A sum of products of variables with integer coefficients.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Poly {
    terms: BTreeMap<Vec<VarId>, i128>,
}

impl Poly {
    pub(crate) fn constant(n: i128) -> Self {
        let mut p = Self::default();
        p.put(Vec::new(), n);
        p
    }

    pub(crate) fn variable(v: VarId) -> Self {
        let mut p = Self::default();
        p.put(vec![v], 1);
        p
    }

    /// `n` times the product of these variables.
    pub(crate) fn term(variables: &[VarId], n: i128) -> Self {
        let (mut p, mut key) = (Self::default(), variables.to_vec());
        key.sort();
        p.put(key, n);
        p
    }

    /// Its terms: the variables of each, and what they are multiplied by.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&[VarId], i128)> {
        self.terms.iter().map(|(key, &n)| (key.as_slice(), n))
    }

    fn put(&mut self, key: Vec<VarId>, n: i128) {
        let sum = self.terms.get(&key).copied().unwrap_or(0).saturating_add(n);
        if sum == 0 {
            self.terms.remove(&key);
        } else {
            self.terms.insert(key, sum);
        }
    }

    pub(crate) fn add(&self, other: &Self, factor: i128) -> Self {
        let mut out = self.clone();
        for (k, n) in &other.terms {
            out.put(k.clone(), n.saturating_mul(factor));
        }
        out
    }

    /// The product, if it is small enough.
    pub(crate) fn mul(&self, other: &Self) -> Option<Self> {
        let mut out = Self::default();
        for (a, n) in &self.terms {
            for (b, m) in &other.terms {
                let mut key: Vec<VarId> = a.iter().chain(b).copied().collect();
                key.sort();
                out.put(key, n.checked_mul(*m)?);
            }
        }
        (out.terms.len() <= MAX_TERMS).then_some(out)
    }

    /// Its value, if it is a number.
    pub(crate) fn number(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// `c` and `r` of `c × v + r`, if it is of that form.
    pub(crate) fn linear(&self, v: VarId) -> Option<(Self, Self)> {
        let (mut c, mut r) = (Self::default(), Self::default());
        for (k, &n) in &self.terms {
            match k.iter().filter(|&&x| x == v).count() {
                0 => r.put(k.clone(), n),
                1 => c.put(k.iter().copied().filter(|&x| x != v).collect(), n),
                _ => return None,
            }
        }
        Some((c, r))
    }

    /// Its value, given those of its variables.
    pub(crate) fn value(&self, of: &dyn Fn(VarId) -> Option<i128>) -> Option<i128> {
        self.terms.iter().try_fold(0i128, |sum, (key, &n)| {
            let product = key.iter().try_fold(n, |p, &v| p.checked_mul(of(v)?))?;
            sum.checked_add(product)
        })
    }

    pub(crate) fn has(&self, v: VarId) -> bool {
        self.terms.keys().any(|k| k.contains(&v))
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = VarId> {
        self.terms.keys().flatten().copied()
    }

    /// Whether all coefficients are positive: it is, if its variables are.
    pub(crate) fn is_sum_of_products(&self) -> bool {
        self.terms.values().all(|&n| n > 0)
    }

    /// The C expression.
    pub(crate) fn text(&self, name: &dyn Fn(VarId) -> String) -> String {
        if self.terms.is_empty() {
            return "0".to_owned();
        }
        let mut out = String::new();
        for (k, n) in self.terms.iter().rev() {
            if !out.is_empty() {
                out.push_str(if *n < 0 { "-" } else { "+" });
            } else if *n < 0 {
                out.push('-');
            }
            let names: Vec<String> = k.iter().map(|&v| name(v)).collect();
            match (n.unsigned_abs(), names.is_empty()) {
                (n, true) => out.push_str(&n.to_string()),
                (1, false) => out.push_str(&names.join("*")),
                (n, false) => out.push_str(&format!("{n}*{}", names.join("*"))),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_cancel_and_products_multiply_out() {
        let (i, n) = (VarId(1), VarId(2));
        let p = Poly::variable(i).add(&Poly::constant(1), 1).mul(&Poly::variable(n)).expect("small");
        let (c, r) = p.linear(i).expect("linear");
        assert_eq!((c, r), (Poly::variable(n), Poly::variable(n)));
        assert_eq!(p.add(&p, -1).number(), Some(0));
        assert_eq!(p.text(&|v| format!("x{}", v.0)), "x2+x1*x2");
    }
}
